import { useSearchParams } from "react-router-dom";
import type { ImpactReport } from "@/api/schema";
import { Alert } from "@/components/alert/alert";
import { EmptyState } from "@/components/empty-state/empty-state";
import { Select } from "@/components/field/select";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import impactTexts from "@/messages/en/impact.json";
import { ApiError } from "@/lib/api/api-client";
import { classNames } from "@/lib/ui/class-names";
import { formatMonth } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { useResource } from "@/lib/api/resource";
import { periodKey, reportPath } from "./api";
import { BooksNote, Figures, FundsTable, IncomeTable } from "./impact-money";
import { Decisions, Payouts, ProjectsProgress } from "./impact-work";
import styles from "./impact-view.module.css";

const t = translator(impactTexts);

/** The public impact report of a year, a month or all time, and the choice of another. */
export function ImpactView() {
  const [query, setQuery] = useSearchParams();
  const wanted = query.get("period");
  const report = useResource(reportPath(wanted));
  const missing =
    report.data?.archive.length === 0 ||
    (report.error instanceof ApiError && report.error.status === 404);
  return (
    <>
      <div className={classNames("wrap page-head", styles.head)}>
        <div>
          <h1 className="d1">{t("title")}</h1>
          <p className="lead">{t("lead")}</p>
        </div>
        {/* Reserves space, so that nothing shifts when the periods load. */}
        {report.status === "loading" ? <div className={styles.choice} /> : null}
        {report.data === null || report.data.archive.length === 0 ? null : (
          <PeriodChoice
            onChoose={(key) => setQuery({ period: key }, { replace: true, state: { stay: true } })}
            report={report.data}
          />
        )}
      </div>
      <div className="wrap">
        {missing ? (
          <EmptyState title={t("none")}>
            <p className="muted">{t("none-text")}</p>
          </EmptyState>
        ) : (
          <ResourceView skeleton={<ReportSkeleton />} state={report} what={t("failed")}>
            {(data) => <Report report={data} />}
          </ResourceView>
        )}
      </div>
    </>
  );
}

function PeriodChoice({
  report,
  onChoose,
}: {
  readonly report: ImpactReport;
  readonly onChoose: (key: string) => void;
}) {
  return (
    <div className={styles.choice}>
      <Select
        label={t("period.choose")}
        onChange={(event) => onChoose(event.target.value)}
        options={report.archive.map((period) => {
          const key = periodKey(period);
          const isRunning = key === periodKey(report.period) && !report.isOver;
          const label = periodName(key);
          return { value: key, label: isRunning ? t("period.so-far", { period: label }) : label };
        })}
        value={periodKey(report.period)}
      />
    </div>
  );
}

function Report({ report }: { readonly report: ImpactReport }) {
  return (
    <article aria-label={periodName(periodKey(report.period))} className={styles.report}>
      <Figures name={periodName(periodKey(report.period))} report={report} />
      {report.isOver ? null : <Alert kind="info">{t("unfinished")}</Alert>}
      <div className="halves halves-eq">
        <IncomeTable report={report} />
        <FundsTable report={report} />
      </div>
      <Payouts report={report} />
      <Decisions report={report} />
      <ProjectsProgress report={report} />
      <BooksNote report={report} />
    </article>
  );
}

function ReportSkeleton() {
  return (
    <div className={classNames("waiting", styles.report)}>
      <Skeleton shape="block" />
      <Skeleton shape="block" />
    </div>
  );
}

function periodName(key: string): string {
  if (key === "all") return t("period.all");
  return key.length === 4 ? t("period.year", { year: key }) : formatMonth(key);
}
