import type { MeasuredResult } from "@/api/schema";
import { Badge, type BadgeTone } from "@/components/badge/badge";
import { ProgressBar } from "@/components/progress-bar/progress-bar";
import catalogueTexts from "@/messages/en/catalogue.json";
import { formatCents, formatDate, formatNumber } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { writtenIn } from "@/lib/text/written";
import { useToday } from "@/lib/ui/use-today";
import styles from "./measure-list.module.css";

const t = translator(catalogueTexts);

const TONES: Readonly<Record<MeasuredResult["state"], BadgeTone>> = {
  open: "plain",
  reached: "palm",
  missed: "hibiscus",
  overdue: "marigold",
};

/** What the vote was promised beside what was measured, also where it was missed. */
export function MeasureList({ measures }: { readonly measures: readonly MeasuredResult[] }) {
  return (
    <ul className={styles.list}>
      {measures.map((measure) => (
        <MeasureItem key={measure.id} measure={measure} />
      ))}
    </ul>
  );
}

function MeasureItem({ measure }: { readonly measure: MeasuredResult }) {
  const today = useToday();
  const { actual, baseline, target, unit } = measure;
  const values = { target: formatNumber(target), unit };
  const figure =
    actual === null
      ? t("measures.none", values)
      : t(target < baseline ? "measures.less" : "measures.figure", {
          ...values,
          actual: formatNumber(actual),
        });
  return (
    <li>
      <h3 {...writtenIn(measure, "name")}>{measure.name}</h3>
      <Badge tone={TONES[measure.state]}>{t(`measures.${measure.state}`)}</Badge>
      <div className={styles.bar}>
        <ProgressBar
          label={measure.name}
          max={100}
          text={figure}
          tone={measure.state === "reached" ? "success" : "action"}
          value={percentDone(measure)}
        />
      </div>
      <p className="sm muted">
        {[
          baseline === 0 ? null : t("measures.before", { baseline: formatNumber(baseline) }),
          measure.measuredOn === null
            ? null
            : t("measures.day", { date: formatDate(measure.measuredOn, today) }),
          t("measures.due", { date: formatDate(measure.dueOn, today) }),
          measure.state === "overdue" ? t("measures.overdue-note") : null,
          measure.costPerUnitCents === null
            ? null
            : t("measures.cost", { amount: formatCents(measure.costPerUnitCents) }),
        ]
          .filter(Boolean)
          .join(" ")}
      </p>
    </li>
  );
}

/** How much of the way from the baseline to the target is done, from 0 to 100. */
function percentDone({ actual, baseline, target }: MeasuredResult): number {
  if (actual === null) return 0;
  if (target === baseline) return actual === target ? 100 : 0;
  return Math.max(0, Math.min(100, Math.floor((100 * (actual - baseline)) / (target - baseline))));
}
