import type { ImpactReport, ReportPeriod } from "@/api/schema";

/** The report of a month (`2026-10`), of a year (`2026`), of all time (`all`), or of this year. */
export function reportPath(wanted: string | null) {
  if (wanted === "all") return "/impact?all=true";
  if (wanted === null || !/^\d{4}(-\d{2})?$/.test(wanted)) return "/impact";
  return `/impact?${wanted.length === 4 ? "year" : "month"}=${wanted}` as const;
}

/** The query value of a period. */
export function periodKey({ from, to }: ReportPeriod): string {
  if (from.slice(0, 4) !== to.slice(0, 4)) return "all";
  return from.slice(0, 7) === to.slice(0, 7) ? from.slice(0, 7) : from.slice(0, 4);
}

/** The funds of the split; money committed to a vote is not part of it. */
export function splitLines({ funds }: ImpactReport) {
  return funds.flatMap((line) => (line.fund === "committed" ? [] : [{ ...line, fund: line.fund }]));
}
