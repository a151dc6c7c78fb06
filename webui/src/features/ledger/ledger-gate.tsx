import { Link } from "react-router-dom";
import { Band } from "@/components/band/band";
import { ButtonLink } from "@/components/button/button";
import { FundSplit } from "@/components/fund-split/fund-split";
import ledgerTexts from "@/messages/en/ledger.json";
import { classNames } from "@/lib/ui/class-names";
import { useSiteConfig } from "@/lib/models/config";
import { formatDollars } from "@/lib/text/format";
import { rich, translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { useHydrated } from "@/lib/page/use-hydrated";
import type { Transaction } from "./api";
import { TransactionRow } from "./transaction-row";
import styles from "./ledger-gate.module.css";
import list from "./transactions.module.css";

const t = translator(ledgerTexts);

const PROMISED = { projects: 80, staff: 7, marketing: 9, other: 4 };
const MINIMUM = 5;

// Invented rows: visitors never receive contributors' data, not even blurred.
const FAKE: readonly Transaction[] = (
  [
    ["11-18", "contribution", 1000],
    ["11-15", "coordinator", -2600],
    ["11-12", "contribution", 2500],
    ["11-06", "contribution", 500],
    ["11-01", "contribution", 2000],
    ["10-31", "bookkeeping", -3200],
  ] as const
).map(([day, words, amountCents]) => ({
  id: day,
  date: `2001-${day}`,
  description: t(`fake.${words}`),
  kind: "sample",
  type: "sample",
  amountCents,
  foreign: null,
  funds: {},
  details: { category: "", reference: null, description: "" },
}));

/** Shown to visitors instead of contributors' data: a blurred example and a sign-in link. */
export function LedgerGate() {
  const config = useSiteConfig();
  const minimum = formatDollars(config.data?.pledgeDollarsMin ?? MINIMUM);
  return (
    <div className={classNames(styles.gate, useHydrated() ? null : "for-visitors")}>
      <div aria-hidden="true" className={styles.under} inert>
        <p className={styles.heading}>{t("split.title")}</p>
        <FundSplit policy={PROMISED} />
        <p className={styles.heading}>{t("tx.title")}</p>
        <ul className={list.list}>
          {FAKE.map((transaction) => (
            <TransactionRow key={transaction.id} transaction={transaction} />
          ))}
        </ul>
      </div>
      <div className={styles.over}>
        <section aria-label={t("gate.label")} className={styles.card}>
          <Band thin />
          <div>
            <p className={styles.text}>{t("gate.text")}</p>
            <ButtonLink block to={paths.login}>
              {t("gate.login")}
            </ButtonLink>
            <p className="xs muted">
              {rich(t("gate.join", { minimum }), {
                join: (inner) => (
                  <Link className="link" to={paths.join}>
                    {inner}
                  </Link>
                ),
              })}
            </p>
          </div>
        </section>
      </div>
    </div>
  );
}
