import { useRef, useState, type FormEvent } from "react";
import { Button } from "@/components/button/button";
import { Field } from "@/components/field/field";
import { Select } from "@/components/field/select";
import ledgerTexts from "@/messages/en/ledger.json";
import { translator } from "@/lib/text/messages";
import { useFocusFallback } from "@/lib/ui/use-focus-fallback";
import { NO_FILTERS, type Filters } from "./use-transactions";
import styles from "./transactions.module.css";

const t = translator(ledgerTexts);

const KINDS = [
  "pledge",
  "gift",
  "grant",
  "refund",
  "dispute",
  "disbursement",
  "salary",
  "expense",
  "fee",
  "transfer",
] as const;

/** Filters by kind, words and period, applied on submit. */
export function TransactionFilters({
  filters,
  onChange,
}: {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}) {
  const [draft, setDraft] = useState(filters);
  const button = useRef<HTMLButtonElement>(null);
  useFocusFallback(filters, button);
  const isWrong = draft.from !== "" && draft.to !== "" && draft.to < draft.from;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isWrong) onChange(draft);
  };
  const clear = () => {
    setDraft(NO_FILTERS);
    onChange(NO_FILTERS);
  };
  return (
    <form aria-label={t("tx.filters")} className={styles.filters} onSubmit={submit} role="search">
      <Select
        label={t("tx.kind")}
        onChange={(event) => setDraft({ ...draft, kind: event.target.value })}
        options={KINDS.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))}
        placeholder={t("tx.kind-all")}
        value={draft.kind}
      />
      <Field
        label={t("tx.text")}
        maxLength={200}
        onChange={(event) => setDraft({ ...draft, text: event.target.value })}
        placeholder={t("tx.text-placeholder")}
        type="search"
        value={draft.text}
      />
      <Field
        label={t("tx.from")}
        onChange={(event) => setDraft({ ...draft, from: event.target.value })}
        type="date"
        value={draft.from}
      />
      <Field
        label={t("tx.to")}
        onChange={(event) => setDraft({ ...draft, to: event.target.value })}
        type="date"
        value={draft.to}
      />
      <div className={styles.actions}>
        <Button kind="line" ref={button} type="submit">
          {t("tx.filter")}
        </Button>
        {filters === NO_FILTERS ? null : (
          <Button kind="quiet" onClick={clear}>
            {t("tx.clear")}
          </Button>
        )}
      </div>
      {isWrong ? (
        <p className={styles.error} role="alert">
          {t("tx.period-wrong")}
        </p>
      ) : null}
    </form>
  );
}
