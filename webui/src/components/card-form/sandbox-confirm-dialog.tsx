import { useState, type ReactNode } from "react";
import { Alert } from "@/components/alert/alert";
import { Button } from "@/components/button/button";
import { Modal } from "@/components/modal/modal";
import cardTexts from "@/messages/en/card-form.json";
import { translator } from "@/lib/text/messages";
import { asError, useFailure } from "@/lib/ui/use-failure";
import { confirmInSandbox } from "@/lib/payments/payment-answer";

const t = translator(cardTexts);

type Question = { readonly clientSecret: string; readonly answer: (wrong: string | null) => void };

/** Asks the cardholder in a dialog, which is shown where it is placed. */
export function useSandboxConfirm(): {
  readonly confirm: (clientSecret: string) => Promise<string | null>;
  readonly dialog: ReactNode;
} {
  const [question, setQuestion] = useState<Question | null>(null);
  const [confirm] = useState(
    () => (clientSecret: string) =>
      new Promise<string | null>((answer) => setQuestion({ clientSecret, answer })),
  );
  const dialog =
    question === null ? null : (
      <SandboxConfirmDialog
        clientSecret={question.clientSecret}
        onAnswer={(wrong) => {
          setQuestion(null);
          question.answer(wrong);
        }}
      />
    );
  return { confirm, dialog };
}

/** Sandbox version of the bank's 3-D Secure page. */
function SandboxConfirmDialog({
  clientSecret,
  onAnswer,
}: {
  readonly clientSecret: string;
  /** Null if the bank agreed, else the error message. */
  readonly onAnswer: (wrong: string | null) => void;
}) {
  const [sending, setSending] = useState<"succeed" | "fail" | null>(null);
  const [error, setError] = useFailure();
  const send = async (outcome: "succeed" | "fail") => {
    setSending(outcome);
    setError(null);
    try {
      await confirmInSandbox(clientSecret, outcome);
      onAnswer(outcome === "succeed" ? null : t("confirm.failed"));
    } catch (failure) {
      setSending(null);
      setError(asError(failure));
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
          <p>{error.message}</p>
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
