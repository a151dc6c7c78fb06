import type { MeasuredResult } from "@/api/schema";
import pageTexts from "@/messages/en/project-page.json";
import { formatNumber } from "./format";
import { translator } from "./messages";

const t = translator(pageTexts);

/** What was measured beside its target: `212 of 240 households`. */
export function measuredFigure({ actual, baseline, target, unit }: MeasuredResult): string {
  const values = { target: formatNumber(target), unit };
  return actual === null
    ? t("measures.none", values)
    : t(target < baseline ? "measures.less" : "measures.figure", {
        ...values,
        actual: formatNumber(actual),
      });
}

/** What became of a measure: `Missed`. */
export function measuredState({ state }: MeasuredResult): string {
  return t(`measures.${state}`);
}
