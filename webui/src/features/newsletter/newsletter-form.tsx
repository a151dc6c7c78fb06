import { useState, type FormEvent } from "react";
import { Button } from "@/components/button/button";
import { Field } from "@/components/field/field";
import newsletterTexts from "@/messages/en/newsletter.json";
import { apiSend } from "@/lib/api/api-client";
import { textIn, usePrehydrationInput } from "@/lib/page/use-prehydration-input";
import { translator } from "@/lib/text/messages";
import { asError, useFailure } from "@/lib/ui/use-failure";
import styles from "./newsletter-form.module.css";

const t = translator(newsletterTexts);

/** The newsletter form in the footer. */
export function NewsletterForm() {
  const [email, setEmail] = useState("");
  const [state, setState] = useState<"asking" | "sending" | "sent">("asking");
  const [failure, setFailure] = useFailure();
  const form = usePrehydrationInput((drawn) => setEmail(textIn(drawn, "email")));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() === "") return setFailure(new Error(t("empty")));
    setState("sending");
    setFailure(null);
    try {
      await apiSend("POST /newsletter", { email: email.trim() });
      setState("sent");
    } catch (error) {
      setState("asking");
      setFailure(asError(error));
    }
  };
  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)} ref={form}>
      <h2>{t("title")}</h2>
      <p className={styles.text}>{t("text")}</p>
      {state === "sent" ? (
        <p className={styles.sent} role="status">
          {t("sent", { email: email.trim() })}
        </p>
      ) : (
        <div className={styles.row}>
          <Field
            autoComplete="email"
            error={failure?.message}
            inputClassName={styles.input}
            label={t("email")}
            labelHidden
            name="email"
            onChange={(event) => setEmail(event.target.value)}
            placeholder={t("email")}
            type="email"
            value={email}
          />
          <Button
            busy={state === "sending" ? t("joining") : false}
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
