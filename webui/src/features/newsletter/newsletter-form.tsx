import { useState, type FormEvent } from "react";
import { Button } from "@/components/button/button";
import { Field } from "@/components/field/field";
import newsletterTexts from "@/messages/en/newsletter.json";
import { apiSend } from "@/lib/api/api-client";
import { translator } from "@/lib/text/messages";
import styles from "./newsletter-form.module.css";

const t = translator(newsletterTexts);

type State =
  | { readonly kind: "asking"; readonly error: string | null }
  | { readonly kind: "sending" }
  | { readonly kind: "sent" };

/** The newsletter form in the footer. */
export function NewsletterForm() {
  const [email, setEmail] = useState("");
  const [state, setState] = useState<State>({ kind: "asking", error: null });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() === "") return setState({ kind: "asking", error: t("empty") });
    setState({ kind: "sending" });
    try {
      await apiSend("POST /newsletter", { email: email.trim() });
      setState({ kind: "sent" });
    } catch (error) {
      setState({ kind: "asking", error: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      <h2>{t("title")}</h2>
      <p className={styles.text}>{t("text")}</p>
      {state.kind === "sent" ? (
        <p className={styles.sent} role="status">
          {t("sent", { email: email.trim() })}
        </p>
      ) : (
        <div className={styles.row}>
          <Field
            autoComplete="email"
            error={state.kind === "asking" ? state.error : null}
            inputClassName={styles.input}
            label={t("email")}
            labelHidden
            onChange={(event) => setEmail(event.target.value)}
            placeholder={t("email")}
            type="email"
            value={email}
          />
          <Button
            busy={state.kind === "sending" ? t("joining") : false}
            className={styles.button}
            kind="accent"
            type="submit"
          >
            {t("join")}
          </Button>
        </div>
      )}
    </form>
  );
}
