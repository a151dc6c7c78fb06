import { useState } from "react";
import { Button } from "@/components/button/button";
import { Card } from "@/components/card/card";
import accountTexts from "@/messages/en/account.json";
import membershipTexts from "@/messages/en/membership.json";
import { apiSend } from "@/lib/api/api-client";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { ConfirmDialog } from "@/components/confirm-dialog/confirm-dialog";
import { StopsToday } from "@/components/confirm-dialog/stops-today";
import { useMemberArea } from "@/lib/member/member-context";
import { useMemberAction } from "@/lib/member/use-member-action";
import styles from "./account.module.css";

const t = translator(membershipTexts);
const account = translator(accountTexts);

/** Closes the account; the member is signed out afterwards. */
export function CloseAccount() {
  const { member, leave } = useMemberArea();
  const [asking, setAsking] = useState(false);
  const action = useMemberAction(false);
  const close = () => {
    action.reset();
    setAsking(false);
  };
  const go = async (currentPassword: string | undefined) => {
    if (await action.run(() => apiSend("DELETE /user/delete-account", { currentPassword }), "form")) leave(paths.home);
  };
  const gives = member.pledgeStatus !== null && member.pledgeStatus !== "canceled";
  return (
    <Card>
      <div className={styles.close}>
        <div>
          <b>{account("close")}</b>
          <p className="muted">{account("close.text")}</p>
        </div>
        <Button kind="danger-line" onClick={() => setAsking(true)} size="sm">
          {account("close")}
        </Button>
      </div>
      {asking ? (
        <ConfirmDialog
          action={action}
          back={t("cancel")}
          go={account("close")}
          goBusy={account("close.busy")}
          onClose={close}
          onGo={(password) => void go(password)}
          title={account("close.title")}
        >
          {gives ? <StopsToday /> : <p>{account("close.no-pledge")}</p>}
          <p className="muted">{account("close.loses")}</p>
        </ConfirmDialog>
      ) : null}
    </Card>
  );
}
