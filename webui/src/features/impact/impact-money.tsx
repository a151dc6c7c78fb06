import type { ImpactReport } from "@/api/schema";
import { AreaChart } from "@/components/area-chart/area-chart";
import { FundSplit } from "@/components/fund-split/fund-split";
import { ScrollBox } from "@/components/scroll-box/scroll-box";
import { Table } from "@/components/table/table";
import fundTexts from "@/messages/en/funds.json";
import impactTexts from "@/messages/en/impact.json";
import { incomeByMonth } from "@/lib/models/income";
import { classNames } from "@/lib/ui/class-names";
import {
  formatCents,
  formatDate,
  formatDollarsOfCents,
  formatMonth,
  formatNumber,
  formatPercent,
  formatWholeDollars,
} from "@/lib/text/format";
import { rich, translator } from "@/lib/text/messages";
import { splitLines } from "./api";
import styles from "./impact-view.module.css";

const t = translator(impactTexts);
const funds = translator(fundTexts);

/** The four figures of a report. */
export function Figures({
  report,
  name,
}: {
  readonly report: ImpactReport;
  readonly name: string;
}) {
  const figures = [
    [t("received"), formatWholeDollars(report.receivedCents.total)],
    [t("paid"), formatWholeDollars(report.disbursedCents)],
    [t("changemakers"), formatNumber(report.changemakers)],
    [t("cash"), formatWholeDollars(report.cashAtHandCents)],
  ] as const;
  return (
    <section aria-label={name} className={classNames("field-night on-dark", styles.figures)}>
      <h2>{name}</h2>
      <dl>
        {figures.map(([label, figure]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="num">{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function IncomeTable({ report }: { readonly report: ImpactReport }) {
  const { pledges, gifts, grants, other, total } = report.receivedCents;
  const rows = [
    [t("income.pledges"), pledges],
    [t("income.gifts"), gifts],
    [t("income.grants"), grants],
    ...(other === 0 ? [] : [[t("income.other"), other] as const]),
    [t("income.total"), total],
    // Zero has no sign.
    [t("income.refunds"), 0 - report.refundsCents],
    [t("income.fees"), 0 - report.feesCents],
  ] as const;
  return (
    <section aria-labelledby="income">
      <h2 className={styles.title} id="income">
        {t("income")}
      </h2>
      <Table caption={t("income")} head={[t("income.source"), t("income.amount")]}>
        {rows.map(([label, cents]) => (
          <tr className={label === t("income.total") ? styles.sum : undefined} key={label}>
            <th scope="row">{label}</th>
            <td className="num" data-end="">
              {formatCents(cents)}
            </td>
          </tr>
        ))}
      </Table>
      {report.months.length > 1 ? <MonthChart report={report} /> : null}
    </section>
  );
}

function MonthChart({ report }: { readonly report: ImpactReport }) {
  const months = incomeByMonth(report.months);
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return null;
  return (
    <div className={styles.chart}>
      <h3>{t("chart")}</h3>
      <AreaChart
        amountWord={t("chart.amount")}
        label={t("chart.label", {
          first: formatDollarsOfCents(first.cents),
          from: formatMonth(first.month),
          last: formatDollarsOfCents(last.cents),
          to: formatMonth(last.month),
        })}
        monthWord={t("chart.month")}
        points={months}
        unfinished={!report.isOver}
      />
    </div>
  );
}

/** Promised and actual share of each fund as bars, and its money. */
export function FundsTable({ report }: { readonly report: ImpactReport }) {
  return (
    <section aria-labelledby="funds">
      <h2 className={styles.title} id="funds">
        {t("funds")}
      </h2>
      <p className={classNames("muted", styles.text)}>{t("funds.text")}</p>
      <div className={styles.splits}>
        <h3>{t("funds.promised")}</h3>
        <FundSplit policy={sharesOf(report, "promisedShare")} />
        {report.funds.some((line) => line.actualShare > 0) ? (
          <>
            <h3>{t("funds.actual")}</h3>
            <FundSplit policy={sharesOf(report, "actualShare")} />
          </>
        ) : null}
      </div>
      <ScrollBox label={t("funds")}>
        <Table caption={t("funds")} head={[t("funds.purpose"), t("funds.received"), t("funds.spent")]}>
          {splitLines(report).map((line) => (
            <tr key={line.fund}>
              <th scope="row">{funds(`fund.${line.fund}`)}</th>
              <td className="num" data-end="">
                {formatCents(line.receivedCents)}
              </td>
              <td className="num" data-end="">
                {formatCents(line.spentCents)}
              </td>
            </tr>
          ))}
        </Table>
      </ScrollBox>
      {report.papers === undefined ? null : <p className="muted">{papersText(report.papers)}</p>}
      {report.driftNote === "" ? null : <p className={styles.note}>{report.driftNote}</p>}
    </section>
  );
}

function papersText({ documentedCents, fromCents, spentCents }: NonNullable<ImpactReport["papers"]>): string {
  return t("papers", {
    share: formatPercent((100 * documentedCents) / spentCents),
    amount: formatCents(spentCents),
    least: formatCents(fromCents),
  });
}

function sharesOf(report: ImpactReport, share: "promisedShare" | "actualShare") {
  const shares = { projects: 0, staff: 0, marketing: 0, other: 0 };
  for (const line of splitLines(report)) shares[line.fund] = line[share];
  return shares;
}

/** The log state of the report, so that anybody can reproduce it. */
export function BooksNote({ report }: { readonly report: ImpactReport }) {
  const { at, root, size } = report.books;
  const late = report.lateEntries.length;
  return (
    <footer className={classNames("meta", styles.books)}>
      {late === 0 ? null : <p>{t("late", { count: late })}</p>}
      {at === null ? null : <p>{t("books", { date: formatDate(at, new Date(0)), size })}</p>}
      <details>
        <summary>{t("books.proof")}</summary>
        <p>{rich(t("books.root", { root }), { code: (hash) => <code>{hash}</code> })}</p>
      </details>
    </footer>
  );
}
