import { Link } from "react-router-dom";
import type { Transaction } from "@/api/schema";
import ledgerTexts from "@/messages/en/ledger.json";
import type { PaidRow } from "@/components/paid-list/paid-list";
import { OWN_KINDS } from "@/lib/models/own-kinds";
import { bookedText } from "@/lib/text/booked";
import { foreignText, inBothCurrencies } from "@/lib/text/foreign";
import { formatCents, formatShortDate, formatSignedCents } from "@/lib/text/format";
import { paths } from "@/lib/page/paths";
import { translator } from "@/lib/text/messages";
import { accountName } from "./account-name";
import type { FoldedTransaction } from "./fold-fees";
import { fundName } from "./fund-name";
import styles from "./transactions.module.css";

const t = translator(ledgerTexts);

/** The row of a transaction, which opens its details. */
export function transactionRow(transaction: FoldedTransaction, today: Date): PaidRow {
  const { amountCents, date, description, id } = transaction;
  return {
    key: id,
    lead: <time dateTime={date}>{formatShortDate(date, today)}</time>,
    name: bookedText(description),
    amount: <span className={amountCents < 0 ? styles.negative : styles.positive}>{formatSignedCents(amountCents)}</span>,
    details: { more: t("tx.see-more"), less: t("tx.see-less"), content: <Details transaction={transaction} /> },
  };
}

function Details({ transaction }: { readonly transaction: FoldedTransaction }) {
  const { amountCents, details, feeCents, foreign, funds } = transaction;
  // The row of a fee alone is named after its entry.
  const [entry = ""] = transaction.id.split(":");
  return (
    <dl className={styles.details}>
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
