import { useState } from "react";
import { Alert } from "@/components/alert/alert";
import { Button } from "@/components/button/button";
import { Modal } from "@/components/modal/modal";
import cardTexts from "@/messages/en/card-form.json";
import { translator } from "@/lib/text/messages";
import { confirmInSandbox } from "@/lib/payments/payment-answer";

const t = translator(cardTexts);

/** Sandbox version of the bank's 3-D Secure page. */
export function SandboxConfirmDialog({
  clientSecret,
  onAnswer,
}: {
  readonly clientSecret: string;
  /** Null if the bank agreed, else the error message. */
  readonly onAnswer: (wrong: string | null) => void;
}) {
  const [sending, setSending] = useState<"succeed" | "fail" | null>(null);
  const [error, setError] = useState<string | null>(null);
  const send = async (outcome: "succeed" | "fail") => {
    setSending(outcome);
    setError(null);
    try {
      await confirmInSandbox(clientSecret, outcome);
      onAnswer(outcome === "succeed" ? null : t("confirm.failed"));
    } catch (failure) {
      setSending(null);
      setError(failure instanceof Error ? failure.message : String(failure));
    }
  };
  return (
    <Modal
      busy={sending !== null}
      closeLabel={t("confirm.close")}
      onClose={() => void send("fail")}
      selvedge
      title={t("confirm.title")}
    >
      <p>{t("confirm.text")}</p>
      {error === null ? null : (
        <Alert kind="danger">
          <p>{error}</p>
        </Alert>
      )}
      <div className="row">
        <Button
          busy={sending === "succeed" ? t("confirm.busy") : false}
          disabled={sending === "fail"}
          onClick={() => void send("succeed")}
        >
          {t("confirm.yes")}
        </Button>
        <Button
          busy={sending === "fail" ? t("confirm.busy") : false}
          disabled={sending === "succeed"}
          kind="line"
          onClick={() => void send("fail")}
        >
          {t("confirm.no")}
        </Button>
      </div>
    </Modal>
  );
}
