import { AreaChart } from "@/components/area-chart/area-chart";
import { EmptyState } from "@/components/empty-state/empty-state";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import ledgerTexts from "@/messages/en/ledger.json";
import { formatDollarsOfCents, formatMonth } from "@/lib/text/format";
import { incomeByMonth } from "@/lib/models/income";
import { translator } from "@/lib/text/messages";
import { useResource } from "@/lib/api/resource";
import { incomePath } from "./api";
import styles from "./ledger-view.module.css";

const t = translator(ledgerTexts);

/** Contributions by month, up to the end of a year or today. */
export function MonthlyContributions({
  year,
  today,
}: {
  readonly year: number;
  /** `2026-11-21`. */
  readonly today: string;
}) {
  const yearEnd = `${year}-12-31`;
  const lastDay = yearEnd < today ? yearEnd : today;
  const months = useResource(incomePath(lastDay));
  return (
    <section aria-labelledby="monthly" className={styles.part}>
      <h2 id="monthly">{t("months.title")}</h2>
      <ResourceView skeleton={<Skeleton shape="block" />} state={months} what={t("months.failed")}>
        {(report) => (
          <Chart
            points={incomeByMonth(report.months)}
            runningMonth={lastDay === today ? today : null}
          />
        )}
      </ResourceView>
    </section>
  );
}

function Chart({
  points,
  runningMonth,
}: {
  readonly points: ReturnType<typeof incomeByMonth>;
  readonly runningMonth: string | null;
}) {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return <EmptyState small title={t("months.empty")} />;
  const label = t("months.label", {
    first: formatDollarsOfCents(first.cents),
    firstMonth: formatMonth(first.month),
    last: formatDollarsOfCents(last.cents),
    lastMonth: formatMonth(last.month),
  });
  return (
    <div className={styles.chart}>
      <AreaChart
        amountWord={t("months.amount")}
        label={label}
        monthWord={t("months.month")}
        points={points}
        unfinished={runningMonth !== null}
      />
      {runningMonth === null ? null : (
        <p className="meta">{t("months.partial", { month: formatMonth(runningMonth) })}</p>
      )}
    </div>
  );
}
