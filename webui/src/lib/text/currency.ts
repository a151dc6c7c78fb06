import { numberFormat } from "./formatters";

const SLOT = import.meta.env.SSR;

/** The currency of all amounts: the organisation's own, which the server writes into the page. */
export const CURRENCY = (SLOT ? undefined : document.documentElement.dataset["currency"]) ?? "USD";

/** Whether the reader's country pays with this currency, and writes "$10" for "CA$10". The server
 * knows the browser's country, and has written the amounts of the page in the same way. */
let isHomeCurrency = !SLOT && "homeCurrency" in document.documentElement.dataset;

/** Writes amounts as the member's own country does, whatever the browser's is: a profile and a trace say how. */
export function learnHomeCurrency(answer: unknown): void {
  const { user, isHomeCurrency: isHome = user?.isHomeCurrency } = Object(answer) as OwnAnswer;
  if (isHome !== undefined) isHomeCurrency = isHome;
}

type OwnAnswer = { readonly isHomeCurrency?: boolean; readonly user?: { readonly isHomeCurrency?: boolean } };

/** How an amount is shown: with its cents, or without them. */
export type AmountStyle = "money" | "dollars";

const OPTIONS: Readonly<Record<AmountStyle, Intl.NumberFormatOptions>> = {
  money: { minimumFractionDigits: 2, maximumFractionDigits: 2 },
  dollars: { minimumFractionDigits: 0, maximumFractionDigits: 0 },
};

/** Writes cents; the build, which knows no organisation, writes a placeholder that the server fills. */
export function writeAmount(cents: number, style: AmountStyle): string {
  if (SLOT) return `{{${style}:${cents}}}`;
  return numberFormat(optionsOf(style)).format(cents / 100);
}

/** The currency's name in a sentence: "US dollars". */
export function currencyName(): string {
  return SLOT ? "{{currency}}" : partOf({ currencyDisplay: "name" });
}

/** What stands beside an amount in a form: the code in English, the sign where it follows amounts. */
export function currencyUnit(): string {
  if (SLOT) return "{{unit}}";
  return isSignFirst() ? CURRENCY : partOf({});
}

/** What stands before an amount in a form: "$"; nothing where the sign follows amounts. */
export function currencySign(): string {
  if (!isSignFirst()) return "";
  return SLOT ? "{{sign}}" : shortSign();
}

/** How people write the currency beside an amount: "CA$", "$", "CAD". */
export function currencyMarks(): readonly string[] {
  return [partOf({ currencyDisplay: "symbol" }), shortSign(), CURRENCY];
}

/** The sign without the letters that say whose it is, as the server writes it: "$" of "CA$". */
function shortSign(): string {
  return partOf({ currencyDisplay: "symbol" }, "en").replace(/^(?:A|[A-Z]{2})(?=[^A-Z])/, "");
}

function isSignFirst(): boolean {
  return numberFormat(optionsOf("money")).formatToParts(1)[0]?.type === "currency";
}

function partOf(options: Intl.NumberFormatOptions, locale?: string): string {
  const parts = numberFormat({ ...optionsOf("money"), ...options }, locale).formatToParts(2);
  return parts.find(({ type }) => type === "currency")?.value ?? CURRENCY;
}

function optionsOf(style: AmountStyle): Intl.NumberFormatOptions {
  const currencyDisplay = isHomeCurrency ? "narrowSymbol" : "symbol";
  return { style: "currency", currency: CURRENCY, currencyDisplay, ...OPTIONS[style] };
}
