import { LOCALE } from "./formatters";

const MINUTE_MS = 60_000;
const UNITS = [
  ["day", 1440],
  ["hour", 60],
] as const;

/** `3 hours ago`, in the unit that a reader would use. */
export function ageOf(at: Date, now: Date): string {
  const minutes = Math.round((at.getTime() - now.getTime()) / MINUTE_MS);
  const [unit, length] = UNITS.find(([, one]) => Math.abs(minutes) >= 2 * one) ?? ["minute", 1];
  return new Intl.RelativeTimeFormat(LOCALE).format(Math.round(minutes / length), unit);
}
