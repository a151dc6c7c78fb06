import ledgerTexts from "@/messages/en/ledger.json";
import { formatCents, formatDollarsOfCents } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import type { YearBudget } from "./api";
import { moneyParts } from "./money-parts";
import styles from "./money-chart.module.css";

const t = translator(ledgerTexts);

const WIDTH = 1000;

/** One bar: where the year's money went, and where the rest is now. */
export function MoneyChart({
  budget,
  unfinished,
}: {
  readonly budget: YearBudget;
  /** The year is not over. */
  readonly unfinished: boolean;
}) {
  const parts = moneyParts(budget);
  const drawn = parts.filter(({ cents }) => cents > 0);
  const sum = drawn.reduce((total, { cents }) => total + cents, 0);
  if (sum === 0) return null;
  // Amounts below each other are written alike.
  const format = parts.some(({ cents }) => cents % 100 !== 0) ? formatCents : formatDollarsOfCents;
  const widths = drawn.map(({ cents }) => (cents / sum) * WIDTH);
  const starts = widths.map((_, index) =>
    widths.slice(0, index).reduce((left, width) => left + width, 0),
  );
  return (
    <section aria-labelledby="money" className={styles.money}>
      <h2 id="money">{t("money.title")}</h2>
      <p className="muted">
        {t(unfinished ? "money.text-now" : "money.text-then", {
          available: formatDollarsOfCents(budget.availableCents),
          year: String(budget.year),
        })}
      </p>
      {/* The list below says the same in words. */}
      <svg
        aria-hidden="true"
        className={styles.bar}
        preserveAspectRatio="none"
        viewBox={`0 0 ${WIDTH} 10`}
      >
        {drawn.map(({ key }, index) => (
          <rect
            className={styles[key]}
            height="10"
            key={key}
            width={Math.max(1, (widths[index] ?? 0) - 3)}
            x={starts[index]}
          />
        ))}
      </svg>
      <ul className={styles.list}>
        {parts.map(({ key, cents }) => (
          <li key={key}>
            <i aria-hidden="true" className={styles[key]} />
            <span>
              <b className="num">{format(cents)}</b> {t(`money.${key}`)}
            </span>
          </li>
        ))}
      </ul>
      {budget.funds === undefined ? null : <p className="meta">{t("money.fees")}</p>}
    </section>
  );
}
