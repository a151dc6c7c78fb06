import { useState } from "react";
import { Button } from "@/components/button/button";
import { SettingsRow } from "@/components/settings/settings";
import accountTexts from "@/messages/en/account.json";
import { apiSend } from "@/lib/api/api-client";
import { formatDollars } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { ConfirmDialog } from "@/components/confirm-dialog/confirm-dialog";
import { useMemberArea } from "@/lib/member/member-context";
import { useMemberAction } from "@/lib/member/use-member-action";

const account = translator(accountTexts);

/** Stops the pledge after a confirmation. */
export function StopPledge() {
  const { member } = useMemberArea();
  const [asking, setAsking] = useState(false);
  const action = useMemberAction();
  const close = () => {
    action.reset();
    setAsking(false);
  };
  const stop = async () => {
    if (await action.run(() => apiSend("PUT /user/pledge", { canceled: true }), "form")) close();
  };
  return (
    <SettingsRow text={account("plan.stop-text")} title={account("plan.stop")}>
      <Button kind="danger-line" onClick={() => setAsking(true)} size="sm">
        {account("plan.stop-go")}
      </Button>
      {asking ? (
        <ConfirmDialog
          action={action}
          back={account("plan.keep")}
          go={account("plan.stop-go")}
          goBusy={account("plan.stop-busy")}
          onClose={close}
          onGo={() => void stop()}
          title={account("plan.stop-title")}
        >
          <p>{account("plan.stop-confirm", { amount: formatDollars(member.subscriptionAmount) })}</p>
          <p className="muted">{account("plan.stop-confirm-more")}</p>
          {member.way === "card" ? null : <p>{account("plan.stop-order")}</p>}
        </ConfirmDialog>
      ) : null}
    </SettingsRow>
  );
}
