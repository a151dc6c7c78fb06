import { useState } from "react";
import { Button } from "@/components/button/button";
import sandboxTexts from "@/messages/en/sandbox-billing.json";
import { apiSend } from "@/lib/api/api-client";
import { translator } from "@/lib/text/messages";
import { notify } from "@/lib/ui/notify";
import { useFailureNotice } from "@/lib/ui/use-failure-notice";
import styles from "./sandbox-billing.module.css";

const t = translator(sandboxTexts);

/** Cancels the pledge after a confirmation. */
export function CancelPledge({ onChanged }: { readonly onChanged: () => void }) {
  const [state, setState] = useState<"idle" | "asking" | "sending">("idle");
  const failure = useFailureNotice();
  const cancel = async () => {
    setState("sending");
    failure.dismiss();
    try {
      await apiSend("PUT /user/pledge", { canceled: true });
      notify.success(t("cancel.done"));
      onChanged();
    } catch (error) {
      failure.show(error);
    }
    setState("idle");
  };
  return (
    <div className={styles.form}>
      <h3>{t("cancel")}</h3>
      <p className="muted">{t("cancel.text")}</p>
      {state === "idle" ? (
        <Button kind="danger-line" onClick={() => setState("asking")}>
          {t("cancel")}
        </Button>
      ) : (
        <div className="row">
          <Button disabled={state === "sending"} kind="line" onClick={() => setState("idle")}>
            {t("cancel.keep")}
          </Button>
          <Button
            busy={state === "sending" ? t("cancel.busy") : false}
            kind="danger"
            onClick={() => void cancel()}
          >
            {t("cancel.sure")}
          </Button>
        </div>
      )}
    </div>
  );
}
