import { useState } from "react";
import { Button } from "@/components/button/button";
import { SettingsRow } from "@/components/settings/settings";
import membershipTexts from "@/messages/en/membership.json";
import { formatDollars } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { changePledge } from "./api";
import { ConfirmDialog } from "@/components/confirm-dialog/confirm-dialog";
import { useMemberArea } from "@/lib/member/member-context";
import { useMemberAction } from "@/lib/member/use-member-action";

const t = translator(membershipTexts);

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
    if (await action.run(() => changePledge({ canceled: true }))) close();
  };
  return (
    <SettingsRow text={t("plan.stop-text")} title={t("plan.stop")}>
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
    </SettingsRow>
  );
}
