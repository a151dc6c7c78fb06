import type { MeasuredResult } from "@/api/schema";
import { Badge, type BadgeTone } from "@/components/badge/badge";
import { ProgressBar } from "@/components/progress-bar/progress-bar";
import pageTexts from "@/messages/en/project-page.json";
import { formatCents, formatDate, formatNumber } from "@/lib/text/format";
import { measuredFigure, measuredState } from "@/lib/text/measured";
import { translator } from "@/lib/text/messages";
import { useToday } from "@/lib/ui/use-today";
import styles from "./measure-list.module.css";

const t = translator(pageTexts);

const TONES: Readonly<Record<MeasuredResult["state"], BadgeTone>> = {
  open: "plain",
  reached: "palm",
  missed: "hibiscus",
  overdue: "marigold",
};

/** What the vote was promised beside what was measured, also where it was missed. */
export function MeasureList({
  measures,
  written,
}: {
  readonly measures: readonly MeasuredResult[];
  /** The language of the project's texts, for elements that show them. */
  readonly written: { readonly lang?: string };
}) {
  return (
    <ul className={styles.list}>
      {measures.map((measure) => (
        <MeasureItem key={measure.id} measure={measure} written={written} />
      ))}
    </ul>
  );
}

function MeasureItem({
  measure,
  written,
}: {
  readonly measure: MeasuredResult;
  readonly written: { readonly lang?: string };
}) {
  const today = useToday();
  const { baseline } = measure;
  return (
    <li>
      <h3 {...written}>{measure.name}</h3>
      <Badge tone={TONES[measure.state]}>{measuredState(measure)}</Badge>
      <div className={styles.bar}>
        <ProgressBar
          label={measure.name}
          max={100}
          text={measuredFigure(measure)}
          tone={measure.state === "reached" ? "success" : "action"}
          value={percentDone(measure)}
        />
      </div>
      {measure.note === "" ? null : <p {...written}>{measure.note}</p>}
      <p className="sm muted">
        {[
          baseline === 0 ? null : t("measures.before", { baseline: formatNumber(baseline) }),
          measure.measuredOn === null
            ? null
            : t("measures.day", { date: formatDate(measure.measuredOn, today) }),
          t("measures.due", { date: formatDate(measure.dueOn, today) }),
          measure.state === "overdue" ? t("measures.overdue-note") : null,
          costOf(measure),
        ]
          .filter(Boolean)
          .join(" ")
          .replaceAll(/ {2,}/g, " ")}
      </p>
    </li>
  );
}

/** What one unit of the change cost; null where that says nothing. */
function costOf({ actual, baseline, costPerUnitCents, unit }: MeasuredResult): string | null {
  if (actual === null || costPerUnitCents === null) return null;
  return t(actual < baseline ? "measures.cost-less" : "measures.cost-more", {
    amount: formatCents(costPerUnitCents),
    change: formatNumber(Math.abs(actual - baseline)),
    unit,
  });
}

/** How much of the way from the baseline to the target is done, from 0 to 100. */
function percentDone({ actual, baseline, target }: MeasuredResult): number {
  if (actual === null) return 0;
  if (target === baseline) return actual === target ? 100 : 0;
  return Math.max(0, Math.min(100, Math.floor((100 * (actual - baseline)) / (target - baseline))));
}
