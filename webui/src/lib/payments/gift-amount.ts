import { currencyMarks } from "@/lib/text/currency";
import { numberFaultText } from "@/lib/text/number-fault";
import { readNumber, type NumberFault } from "@/lib/text/number-reading";

const CENT_DECIMALS = 2;
const MARKS = currencyMarks().map((mark) => mark.replaceAll("$", String.raw`\$`)).join("|");
const MARK_BEFORE = new RegExp(`^(?:${MARKS})\\s*`);
const MARK_AFTER = new RegExp(`\\s*(?:${MARKS})$`);

/** Reads an amount such as `25`, `25.5`, `12,50`, `$1,200.00`, `CA$5` or `5 €`. */
export function readCents(
  typed: string,
): { readonly cents: number; readonly fault: null } | { readonly cents: null; readonly fault: NumberFault } {
  const { value, fault } = readNumber(withoutMarks(typed), CENT_DECIMALS);
  return fault === null ? { cents: Math.round(Number(value) * 100), fault } : { cents: null, fault };
}

/** What is wrong with how an amount is written; null for nothing, also for an empty field. */
export function amountFaultText(typed: string): string | null {
  const { fault } = readCents(typed);
  return numberFaultText(withoutMarks(typed), fault, CENT_DECIMALS);
}

/** Dollars for the thank-you page's query: `25` or `25.50`. */
export function plainDollars(cents: number): string {
  return cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2);
}

function withoutMarks(typed: string): string {
  return typed.trim().replace(MARK_BEFORE, "").replace(MARK_AFTER, "");
}
