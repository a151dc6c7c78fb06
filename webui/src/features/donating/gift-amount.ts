import { currencyMarks } from "@/lib/text/currency";

const MARKS = currencyMarks().map((mark) => mark.replaceAll("$", String.raw`\$`)).join("|");
const MARK_BEFORE = new RegExp(`^(?:${MARKS})\\s*`);
const MARK_AFTER = new RegExp(`\\s*(?:${MARKS})$`);

/** Parses an amount such as `25`, `25.5`, `$1,200.00`, `CA$5` or `5 €` into cents; null if invalid. */
export function readCents(typed: string): number | null {
  const text = typed.trim().replace(MARK_BEFORE, "").replace(MARK_AFTER, "");
  const match = /^(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{0,2}))?$/.exec(text);
  if (match === null) return null;
  const dollars = Number((match[1] ?? "0").replaceAll(",", ""));
  return dollars * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}

/** Dollars for the thank-you page's query: `25` or `25.50`. */
export function plainDollars(cents: number): string {
  return cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2);
}
