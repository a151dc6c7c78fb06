import { useState } from "react";
import { Button } from "@/components/button/button";
import membershipTexts from "@/messages/en/membership.json";
import { formatDollars } from "@/lib/format";
import { translator } from "@/lib/messages";
import { changePledge } from "./api";
import { ConfirmDialog } from "./confirm-dialog";
import { useMemberArea } from "./member-context";
import { useMemberAction } from "./use-member-action";
import styles from "./account.module.css";

const t = translator(membershipTexts);

/** One press and one confirmation. */
export function StopPledge() {
  const { member } = useMemberArea();
  const [asking, setAsking] = useState(false);
  const action = useMemberAction();
  const close = () => {
    action.reset();
    setAsking(false);
  };
  const stop = async () => {
    if (await action.run(() => changePledge({ canceled: true }))) close();
  };
  return (
    <div className={`${styles.row} ${styles.wrapped}`}>
      <b>{t("plan.stop")}</b>
      <p className="muted">{t("plan.stop-text")}</p>
      <Button kind="danger-line" onClick={() => setAsking(true)} size="sm">
        {t("plan.stop-go")}
      </Button>
      {asking ? (
        <ConfirmDialog
          action={action}
          back={t("plan.keep")}
          go={t("plan.stop-go")}
          goBusy={t("plan.stop-busy")}
          onClose={close}
          onGo={() => void stop()}
          title={t("plan.stop-title")}
        >
          <p>{t("plan.stop-confirm", { amount: formatDollars(member.subscriptionAmount) })}</p>
          <p className="muted">{t("plan.stop-confirm-more")}</p>
        </ConfirmDialog>
      ) : null}
    </div>
  );
}
