import { useRef, useState, type FormEvent } from "react";
import { Button } from "@/components/button/button";
import { Field } from "@/components/field/field";
import sessionTexts from "@/messages/en/session.json";
import { apiSend } from "@/lib/api/api-client";
import { translator } from "@/lib/text/messages";
import { useFailureNotice } from "@/lib/ui/use-failure-notice";
import styles from "./session.module.css";

const t = translator(sessionTexts);

/** Requests a reset link. The answer does not reveal whether the address has an account. */
export function AskForReset() {
  const [email, setEmail] = useState("");
  const [state, setState] = useState<"asking" | "sending" | "sent">("asking");
  const field = useRef<HTMLInputElement>(null);
  const failure = useFailureNotice();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() === "") return field.current?.focus();
    setState("sending");
    failure.dismiss();
    try {
      await apiSend("POST /user/forgot-password", { email: email.trim() });
      setState("sent");
    } catch (error) {
      setState("asking");
      failure.show(error);
    }
  };
  if (state === "sent") {
    return (
      <div className={styles.form} role="status">
        <h1>{t("reset.sent")}</h1>
        <p className={styles.lead}>{t("reset.sent-text", { email: email.trim() })}</p>
        <Button kind="line" onClick={() => setState("asking")}>
          {t("reset.again")}
        </Button>
      </div>
    );
  }
  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      <h1>{t("reset.ask")}</h1>
      <p className={styles.lead}>{t("reset.ask-text")}</p>
      <Field
        autoComplete="email"
        label={t("email")}
        name="email"
        onChange={(event) => setEmail(event.target.value)}
        ref={field}
        type="email"
        value={email}
      />
      <Button
        block
        busy={state === "sending" ? t("reset.ask-busy") : false}
        size="lg"
        type="submit"
      >
        {t("reset.ask-go")}
      </Button>
    </form>
  );
}
