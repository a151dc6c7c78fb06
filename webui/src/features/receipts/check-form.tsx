import { useState, type ChangeEvent, type FormEvent } from "react";
import { Alert } from "@/components/alert/alert";
import { Button } from "@/components/button/button";
import { Field, TextArea } from "@/components/field/field";
import receiptTexts from "@/messages/en/receipts.json";
import { translator } from "@/lib/text/messages";
import { CheckResults } from "./check-results";
import { useReceiptCheck, type CheckState } from "./use-receipt-check";
import styles from "./check-form.module.css";

const t = translator(receiptTexts);

/** Checks a receipt from a file or pasted text. */
export function CheckForm() {
  const [text, setText] = useState("");
  const [state, check] = useReceiptCheck();
  const pick = async (event: ChangeEvent<HTMLInputElement>) => {
    const content = (await event.target.files?.[0]?.text()) ?? "";
    setText(content);
    await check(content);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void check(text);
  };
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <Field
        accept=".json,application/json"
        help={t("file.help")}
        inputClassName={styles.file}
        label={t("file.label")}
        onChange={(event) => void pick(event)}
        type="file"
      />
      <TextArea
        autoComplete="off"
        error={inputError(state)}
        label={t("paste.label")}
        onChange={(event) => setText(event.target.value)}
        placeholder={t("paste.placeholder")}
        rows={6}
        spellCheck={false}
        value={text}
      />
      <Button busy={state.status === "running" && t("checking")} size="lg" type="submit">
        {t("check")}
      </Button>
      <CheckOutcome state={state} />
    </form>
  );
}

/** The result of a check, if any. */
export function CheckOutcome({ state }: { readonly state: CheckState }) {
  if (state.status === "no-crypto") return <Alert kind="warning">{t("no-crypto")}</Alert>;
  if (state.status !== "done") return null;
  return <CheckResults checks={state.checks} receipt={state.receipt} />;
}

function inputError(state: CheckState): string | null {
  if (state.status === "empty") return t("unreadable-empty");
  return state.status === "unreadable" ? t("unreadable") : null;
}
