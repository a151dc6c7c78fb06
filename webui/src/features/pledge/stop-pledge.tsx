import { useState } from "react";
import { Button } from "@/components/button/button";
import { SettingsRow } from "@/components/settings/settings";
import accountTexts from "@/messages/en/account.json";
import { apiSend } from "@/lib/api/api-client";
import { translator } from "@/lib/text/messages";
import { ConfirmDialog } from "@/components/confirm-dialog/confirm-dialog";
import { StopsToday } from "@/components/confirm-dialog/stops-today";
import { useMemberAction } from "@/lib/member/use-member-action";

const account = translator(accountTexts);

/** Stops the pledge after a confirmation. */
export function StopPledge() {
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
          <StopsToday />
          <p className="muted">{account("plan.stop-confirm-more")}</p>
        </ConfirmDialog>
      ) : null}
    </SettingsRow>
  );
}
