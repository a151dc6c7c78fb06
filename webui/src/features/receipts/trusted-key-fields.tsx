import { Field, TextArea } from "@/components/field/field";
import keyTexts from "@/messages/en/trusted-keys.json";
import { translator } from "@/lib/text/messages";
import { numberFaultText } from "@/lib/text/number-fault";
import { readNumber } from "@/lib/text/number-reading";
import type { TypedKeys } from "./use-receipt-check";

const t = translator(keyTexts);

/** Keys of the log and its witnesses that a reader got elsewhere, and how many witnesses are needed. */
export function TrustedKeyFields({
  typed,
  hasError,
  onType,
}: {
  readonly typed: TypedKeys;
  readonly hasError: boolean;
  readonly onType: (typed: TypedKeys) => void;
}) {
  const { fault } = readNumber(typed.quorum, 0);
  return (
    <>
      <p className="muted">{t("text")}</p>
      <TextArea
        autoComplete="off"
        error={hasError && (fault ?? "empty") === "empty" ? t("unreadable") : null}
        label={t("label")}
        onChange={(event) => onType({ ...typed, keys: event.target.value })}
        placeholder={t("placeholder")}
        rows={4}
        spellCheck={false}
        value={typed.keys}
      />
      <Field
        error={hasError ? numberFaultText(typed.quorum, fault, 0) : null}
        help={t("quorum.help")}
        inputMode="numeric"
        label={t("quorum")}
        onChange={(event) => onType({ ...typed, quorum: event.target.value })}
        value={typed.quorum}
      />
    </>
  );
}
