import { Field, TextArea } from "@/components/field/field";
import keyTexts from "@/messages/en/trusted-keys.json";
import { translator } from "@/lib/text/messages";
import type { TypedKeys } from "./use-receipt-check";
import styles from "./check-form.module.css";

const t = translator(keyTexts);

/** Where a reader pastes keys of the log and its witnesses that they got elsewhere. */
export function TrustedKeys({
  typed,
  hasError,
  onType,
}: {
  readonly typed: TypedKeys;
  readonly hasError: boolean;
  readonly onType: (typed: TypedKeys) => void;
}) {
  return (
    <details className={styles.keys}>
      <summary>{t("title")}</summary>
      <p className="muted">{t("text")}</p>
      <TextArea
        autoComplete="off"
        error={hasError ? t("unreadable") : null}
        label={t("label")}
        onChange={(event) => onType({ ...typed, keys: event.target.value })}
        placeholder={t("placeholder")}
        rows={4}
        spellCheck={false}
        value={typed.keys}
      />
      <Field
        help={t("quorum.help")}
        inputMode="numeric"
        label={t("quorum")}
        onChange={(event) => onType({ ...typed, quorum: event.target.value })}
        value={typed.quorum}
      />
    </details>
  );
}
