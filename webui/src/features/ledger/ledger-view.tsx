import { useState } from "react";
import { Link } from "react-router-dom";
import { Select } from "@/components/field/select";
import { lazyPart } from "@/components/lazy-part/lazy-part";
import { MoneyPages } from "@/components/money-pages/money-pages";
import { ResourceView } from "@/components/resource-view/resource-view";
import ledgerTexts from "@/messages/en/ledger.json";
import { classNames } from "@/lib/ui/class-names";
import { useSiteConfig } from "@/lib/models/config";
import { rich, translator } from "@/lib/text/messages";
import { mailPath, paths } from "@/lib/page/paths";
import { useResource } from "@/lib/api/resource";
import { useSignedIn } from "@/lib/session/session";
import { useToday } from "@/lib/ui/use-today";
import type { YearBudget } from "./api";
import { BudgetSkeleton, BudgetTable } from "./budget-table";
import { LedgerGate } from "./ledger-gate";
import { MoneyChart } from "./money-chart";
import styles from "./ledger-view.module.css";

const t = translator(ledgerTexts);

// Loaded on demand: only contributors see them.
const SplitCompare = lazyPart(
  async () => (await import("./split-compare")).SplitCompare,
  <div className="waiting" />,
);
const MonthlyContributions = lazyPart(
  async () => (await import("./monthly-contributions")).MonthlyContributions,
  <div className="waiting" />,
);
const TransactionList = lazyPart(
  async () => (await import("./transaction-list")).TransactionList,
  <div className="waiting" />,
);
const PlanTable = lazyPart(async () => (await import("./plan-table")).PlanTable);
const WitnessesLine = lazyPart(async () => (await import("@/components/witnesses-line/witnesses-line")).WitnessesLine);
const LedgerExports = lazyPart(async () => (await import("./ledger-exports")).LedgerExports);

/** The ledger page: three rows for everybody, the rest for contributors. */
export function LedgerView() {
  const signedIn = useSignedIn();
  const [year, setYear] = useState<number | null>(null);
  const budget = useResource(year === null ? "/ledger/budget" : `/ledger/budget?year=${year}`);
  const { funds, plan }: Partial<YearBudget> = budget.data ?? {};
  const config = useSiteConfig();
  const browserDay = useToday().toISOString().slice(0, 10);
  const today = config.data?.today ?? browserDay;
  return (
    <>
      <div className="wrap page-head">
        <h1 className="d1">{t("title")}</h1>
        <p className="lead">{t("intro")}</p>
        <p className={styles.follow}>
          {rich(t("follow"), {
            follow: (inner) => (
              <Link className="link" to={paths.follow}>
                {inner}
              </Link>
            ),
          })}
        </p>
        <MoneyPages here="ledger" />
      </div>
      <div className={classNames("wrap", styles.parts)}>
        <div>
          <YearChoice onChange={setYear} thisYear={Number(today.slice(0, 4))} year={year} />
          <ResourceView
            skeleton={
              <>
                <BudgetSkeleton />
                {/* Reserves space for the chart, so that nothing shifts. */}
                <div className="waiting" />
              </>
            }
            state={budget}
            what={t("budget.failed")}
          >
            {(data) => (
              <>
                <BudgetTable budget={data} key={data.year} member={signedIn} />
                <MoneyChart budget={data} unfinished={today < `${data.year}-12-31`} />
              </>
            )}
          </ResourceView>
        </div>
        {signedIn ? (
          <>
            {/* Reserves space, so that nothing shifts while it loads. */}
            {budget.status === "loading" ? <div className="waiting" /> : null}
            {budget.data === null || funds === undefined ? null : (
              <SplitCompare budget={budget.data} funds={funds} />
            )}
            {budget.data === null || !plan?.length ? null : (
              <PlanTable plan={plan} year={budget.data.year} />
            )}
            <MonthlyContributions today={today} year={year ?? Number(today.slice(0, 4))} />
            <TransactionList />
            <LedgerExports />
          </>
        ) : (
          <LedgerGate />
        )}
        <WitnessesLine />
        <Contact email={config.data?.contactEmail ?? null} />
      </div>
    </>
  );
}

function YearChoice({
  year,
  thisYear,
  onChange,
}: {
  readonly year: number | null;
  readonly thisYear: number;
  readonly onChange: (year: number | null) => void;
}) {
  const reported = useResource("/impact#years");
  const ended = (reported.data?.archive ?? []).map(({ from }) => Number(from.slice(0, 4)));
  const years = [...new Set([thisYear, ...ended.toSorted((left, right) => right - left)])];
  // Reserves space, so that nothing shifts when the years load.
  if (years.length < 2) return reported.status === "loading" ? <div className={styles.year} /> : null;
  return (
    <div className={styles.year}>
      <Select
        label={t("year")}
        onChange={(event) => onChange(Number(event.target.value))}
        options={years.map((one) => ({ value: String(one), label: String(one) }))}
        value={String(year ?? thisYear)}
      />
    </div>
  );
}

function Contact({ email }: { readonly email: string | null }) {
  return (
    <p className="lead">
      {rich(t("contact"), {
        contact: (inner) =>
          email === null ? (
            <Link className="link" to={paths.team}>
              {inner}
            </Link>
          ) : (
            <a className="link" href={mailPath(email)}>
              {inner}
            </a>
          ),
      })}
    </p>
  );
}
