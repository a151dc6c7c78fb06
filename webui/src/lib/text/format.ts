import commonTexts from "@/messages/en/common.json";
import { CURRENCY, writeAmount } from "./currency";
import { dateFormat, LOCALE, numberFormat } from "./formatters";
import { LANGUAGE, translator, type Amount } from "./messages";

const t = translator(commonTexts);

const MINUS = "\u2212";

const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
/** A locale that writes days as `2026-11-30`. */
const ISO = "sv";

type Zone = { readonly timeZone?: string };
/** The time zone that the organisation chose, which the server writes into the page; without one,
 * the reader's own. */
const ZONE: Zone = import.meta.env.SSR ? {} : zoneOf(document.documentElement.dataset["timeZone"]);

const SHARE = { style: "percent", maximumFractionDigits: 1 } as const;

/** Cents of the organisation's currency: `$1,457.00`, `−$12.00`. */
export function formatCents(cents: number): string {
  return withMinus(writeAmount(cents, "money"));
}

/** Cents with the code of the currency where its sign is short: `$10.00 USD`, `€10.00`. */
export function formatFullCents(cents: number): string {
  const isDollar = LANGUAGE === "en" && CURRENCY === "USD";
  return isDollar ? `${formatCents(cents)} ${CURRENCY}` : formatCents(cents);
}

/** Cents for summaries, without `.00`: `$1,457`, `$8.50`. */
export function formatDollarsOfCents(cents: number): string {
  return formatDollars(cents / 100);
}

/** Cents for headline figures, cut off to whole dollars: `$11,030`. */
export function formatWholeDollars(cents: number): string {
  return withMinus(writeAmount(Math.trunc(cents / 100) * 100, "dollars"));
}

/** An amount for a sentence that may agree with it. */
export function amountOf(cents: number, write = formatCents): Amount {
  return { text: write(cents), units: cents / 100 };
}

/** A time of day such as `18:30`, as the language writes it. */
export function formatClock(time: string): string {
  return dateFormat({ ...CLOCK, timeZone: "UTC" }).format(new Date(`2000-01-01T${time}Z`));
}

/** `Nov` below a chart. */
export function formatMonthLabel(iso: string): string {
  return dateText(`${iso}-01`, { month: "short" });
}

/** Dollars for summaries, without `.00`. */
export function formatDollars(dollars: number): string {
  const style = Number.isInteger(dollars) ? "dollars" : "money";
  return withMinus(writeAmount(Math.round(dollars * 100), style));
}

/** Cents with a sign: `+$10.00`, `−$26.00`. */
export function formatSignedCents(cents: number): string {
  return cents > 0 ? `+${formatCents(cents)}` : formatCents(cents);
}

export function formatNumber(value: number): string {
  return withMinus(numberFormat().format(value));
}

/** A percentage, rounded down. */
export function formatPercent(percent: number): string {
  return numberFormat(SHARE).format(Math.floor(percent * 10 + 1e-9) / 1000);
}

/** `18 Nov` for transactions; with the year if it differs from that of a given `today`. */
export function formatShortDate(iso: string, today?: Date): string {
  const year = today === undefined ? {} : yearUnlessOf(today, iso);
  return dayFirst(iso, { month: "short", day: "numeric", ...year });
}

/** `22 Nov 2026`, the day in the reader's own time zone. */
export function formatFullDate(moment: Date): string {
  const parts = { day: "numeric", month: "short", year: "numeric" } as const;
  return dateFormat(parts, import.meta.env.JARA_DATES).format(moment);
}

/** `4 September 2026`; the year only if it differs from that of `today`. */
export function formatDate(iso: string, today: Date): string {
  return dayFirst(iso, { day: "numeric", month: "long", ...yearUnlessOf(today, iso) });
}

function yearUnlessOf(today: Date, iso: string): Intl.DateTimeFormatOptions {
  const sameYear = utcDate(iso)?.getUTCFullYear() === today.getUTCFullYear();
  return sameYear ? {} : { year: "numeric" };
}

/** `Monday, 30 November`; the year only if it differs from that of `today`. */
export function formatWeekday(iso: string, today: Date): string {
  const weekday = dateText(iso, { weekday: "long" });
  return t("date.weekday", { weekday, date: formatDate(iso, today) });
}

/** `Thursday, 10 December, 18:59 EST`: the end of something, in the organisation's time zone. */
export function formatDeadline(endMs: number, today: Date, zone = ZONE): string {
  const clock = dateFormat({ ...CLOCK, ...zone, timeZoneName: "short" });
  // French writes `18 h 59`, which no line may break.
  const time = clock.format(lastMinute(endMs, zone)).replaceAll(/ (?=h )|(?<=h) /g, "\u00a0");
  return t("date.deadline", { day: formatWeekdayOf(endMs, today, zone), time });
}

/** `Thursday, 10 December`: the day on which something ends, in the organisation's time zone. */
export function formatWeekdayOf(endMs: number, today: Date, zone = ZONE): string {
  return formatWeekday(dateFormat(zone, ISO).format(lastMinute(endMs, zone)), today);
}

/** The end; midnight belongs to the day that ends with it, for every reader where the organisation has no zone. */
function lastMinute(endMs: number, zone: Zone): Date {
  const its = zone.timeZone === undefined ? { timeZone: "UTC" } : zone;
  const isMidnight = dateFormat({ ...CLOCK, ...its }, ISO).format(endMs) === "00:00";
  return new Date(isMidnight ? endMs - 60_000 : endMs);
}

/** `October 2026`. */
export function formatMonth(iso: string): string {
  return dateText(iso.length === 7 ? `${iso}-01` : iso, { month: "long", year: "numeric" });
}

/** The name of a country by its two-letter code; unknown codes stay as they are. */
export function countryName(code: string): string {
  try {
    return new Intl.DisplayNames(LOCALE, { type: "region" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** A place with its country's English name, as the reader's language writes the country. */
export function placeName(written: string, code: string | undefined): string {
  if (LANGUAGE === "en" || !code) return written;
  const english = new Intl.DisplayNames("en", { type: "region" }).of(code) ?? code;
  return written.replace(english, countryName(code));
}

function dayFirst(iso: string, options: Intl.DateTimeFormatOptions): string {
  const date = utcDate(iso);
  if (date === null) return iso;
  const parts = dateFormat({ timeZone: "UTC", ...options }, import.meta.env.JARA_DATES);
  return withFirst(parts.formatToParts(date));
}

function dateText(iso: string, options: Intl.DateTimeFormatOptions): string {
  const date = utcDate(iso);
  if (date === null) return iso;
  return withFirst(dateFormat({ timeZone: "UTC", ...options }).formatToParts(date));
}

/** The date with the first of the month as one says it: "1er novembre". */
function withFirst(parts: readonly Intl.DateTimeFormatPart[]): string {
  return parts
    .map(({ type, value }) => (type === "day" && value === "1" ? t("date.first") : value))
    .join("");
}

function utcDate(iso: string): Date | null {
  const date = new Date(iso.length === 10 ? `${iso}T00:00:00Z` : iso);
  return Number.isNaN(date.getTime()) ? null : date;
}

function zoneOf(timeZone: string | undefined): Zone {
  return timeZone === undefined ? {} : { timeZone };
}

function withMinus(text: string): string {
  return text.replace("-", MINUS);
}
