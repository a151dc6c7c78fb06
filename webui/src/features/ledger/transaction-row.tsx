import { useId, useState } from "react";
import { Link } from "react-router-dom";
import type { Transaction } from "@/api/schema";
import ledgerTexts from "@/messages/en/ledger.json";
import { OWN_KINDS } from "@/lib/models/own-kinds";
import { classNames } from "@/lib/ui/class-names";
import { bookedText } from "@/lib/text/booked";
import { foreignText, inBothCurrencies } from "@/lib/text/foreign";
import { formatCents, formatShortDate, formatSignedCents } from "@/lib/text/format";
import { paths } from "@/lib/page/paths";
import { translator } from "@/lib/text/messages";
import { useToday } from "@/lib/ui/use-today";
import { accountName } from "./account-name";
import type { FoldedTransaction } from "./fold-fees";
import { fundName } from "./fund-name";
import styles from "./transactions.module.css";

const t = translator(ledgerTexts);

/** A transaction; the row opens its details. */
export function TransactionRow({ transaction }: { readonly transaction: FoldedTransaction }) {
  const today = useToday();
  const [open, setOpen] = useState(false);
  const id = useId();
  const { amountCents } = transaction;
  return (
    <li>
      <button
        aria-controls={open ? id : undefined}
        aria-expanded={open}
        className={styles.row}
        onClick={() => setOpen(!open)}
        type="button"
      >
        <time className={styles.date} dateTime={transaction.date}>
          {formatShortDate(transaction.date, today)}
        </time>
        <span>{bookedText(transaction.description)}</span>
        <span
          className={classNames(styles.amount, amountCents < 0 ? styles.negative : styles.positive)}
        >
          {formatSignedCents(amountCents)}
        </span>
        <span className={styles.more}>{t(open ? "tx.see-less" : "tx.see-more")}</span>
      </button>
      {open ? <Details id={id} transaction={transaction} /> : null}
    </li>
  );
}

function Details({
  transaction,
  id,
}: {
  readonly transaction: FoldedTransaction;
  readonly id: string;
}) {
  const { amountCents, details, feeCents, foreign, funds } = transaction;
  // The row of a fee alone is named after its entry.
  const [entry = ""] = transaction.id.split(":");
  return (
    <dl className={styles.details} id={id}>
      <div>
        <dt>{t("tx.category")}</dt>
        <dd>{accountName(details.category)}</dd>
      </div>
      <div>
        <dt>{t("tx.reference")}</dt>
        <dd>{details.reference || t("tx.no-reference")}</dd>
      </div>
      <div>
        <dt>{t("tx.entry")}</dt>
        <dd>
          <Link className="link" to={paths.entry(entry)}>
            {entry}
          </Link>
        </dd>
      </div>
      <div>
        <dt>{t("tx.type")}</dt>
        <dd>{typeWord(transaction)}</dd>
      </div>
      <div>
        <dt>{t("tx.description")}</dt>
        <dd>{bookedText(details.description)}</dd>
      </div>
      {feeCents === 0 ? null : (
        <div className={styles.funds}>
          <dt>{t("tx.fee")}</dt>
          <dd>{formatSignedCents(feeCents)}</dd>
          <dd>{t("tx.arrived", { amount: formatCents(amountCents + feeCents) })}</dd>
        </div>
      )}
      {foreign ? (
        <div>
          <dt>{foreignText("label")}</dt>
          <dd>{inBothCurrencies(-amountCents, foreign)}</dd>
        </div>
      ) : null}
      <div className={styles.funds}>
        <dt>{t("tx.funds")}</dt>
        {Object.entries(funds).map(([fund, cents]) => (
          <dd key={fund}>
            {fundName(fund)} {formatSignedCents(cents)}
          </dd>
        ))}
      </div>
    </dl>
  );
}

function typeWord({ kind, amountCents }: Transaction): string {
  if (OWN_KINDS.has(kind) || kind === "transfer") return t("tx.own");
  return t(amountCents < 0 ? "tx.expense" : "tx.income");
}
