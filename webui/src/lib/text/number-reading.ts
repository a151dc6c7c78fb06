import { LOCALE, numberFormat } from "./formatters";

/** How a language writes numbers: 1,234.5 or 1 234,5. */
export type NumberForm = { readonly group: string; readonly decimal: string };

export type NumberFault = "empty" | "none" | "ambiguous" | "decimals";

export type ReadNumber =
  /** The number with a point and without leading zeros: `1234.5`. */
  | { readonly value: string; readonly fault: null }
  | { readonly value: null; readonly fault: NumberFault };

/** The form of a locale; by default the reader's own. */
export function numberForm(locale = LOCALE): NumberForm {
  const parts = numberFormat({ minimumFractionDigits: 1 }, locale).formatToParts(12345);
  const sign = (kind: string) => parts.find(({ type }) => type === kind)?.value ?? "";
  return { group: sign("group"), decimal: sign("decimal") };
}

/**
 * Reads a number in the reader's own form, or in another one where that leaves no doubt: `12,50` and
 * `1.234,50` are read in English too. `12,505` is 12505 in English; in French it would have three
 * decimals, so it is ambiguous where fewer are allowed.
 */
export function readNumber(typed: string, decimals: number, form = numberForm()): ReadNumber {
  const text = typed.trim();
  if (text === "") return { value: null, fault: "empty" };
  const [, sign = "", digits = ""] = /^([-\u2212\u2013]?)\s*([\d.,\s'\u2019]+)$/.exec(text) ?? [];
  const point = decimalOf(digits, decimals, form);
  if (point === "ambiguous") return { value: null, fault: "ambiguous" };
  const [grouped = "", part = "", ...more] = point === null ? [digits] : digits.split(point);
  const whole = withoutGroups(grouped);
  if (whole === null || more.length > 0 || !/^\d*$/.test(part) || whole + part === "") {
    return { value: null, fault: "none" };
  }
  const rest = part.replace(/0+$/, "");
  if (rest.length > decimals) return { value: null, fault: "decimals" };
  const number = `${whole.replace(/^0+(?=\d)/, "") || "0"}${rest === "" ? "" : `.${rest}`}`;
  return { value: sign === "" || number === "0" ? number : `-${number}`, fault: null };
}

/** A number as it was typed, without leading zeros: `7,5` for `07,5`. */
export function withoutZeros(typed: string): string {
  return typed.replace(/^(\s*[-\u2212\u2013]?)0+(?=\d)/, "$1");
}

/** What an ambiguous number can mean, as a language writes it: 12 505 or 12,505. */
export function ambiguousReadings(typed: string, locale = LOCALE) {
  const [whole = "", part = ""] = typed.trim().split(/[.,]/);
  const plain = whole + part;
  return {
    typed: typed.trim(),
    whole: numberFormat({}, locale).format(Number(plain)),
    part: numberFormat({ minimumFractionDigits: 3 }, locale).format(Number(`${whole}.${part}`)),
    plain,
  };
}

/** The sign before the decimals; null if there are none. */
function decimalOf(digits: string, decimals: number, form: NumberForm): string | null {
  const signs = digits.match(/[.,]/g) ?? [];
  const last = signs.at(-1);
  if (last === undefined) return null;
  if (new Set(signs).size === 2) return last;
  if (signs.length > 1) return null;
  if (!/^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)) return last;
  if (last === form.group) return null;
  return last === form.decimal && decimals >= 3 ? last : "ambiguous";
}

/** The digits of a whole number; null where its groups are not of three. */
function withoutGroups(text: string): string | null {
  if (/^\d*$/.test(text)) return text;
  const isGrouped = /^\d{1,3}(?:([.,'\u2019]|\s)\d{3})(?:\1\d{3})*$/.test(text);
  return isGrouped ? text.replaceAll(/\D/g, "") : null;
}
