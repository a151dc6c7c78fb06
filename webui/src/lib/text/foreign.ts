import foreignTexts from "@/messages/en/foreign.json";
import { list, number, object, text, type Infer } from "@/lib/api/decode";
import { formatCents } from "./format";
import { translator } from "./messages";

const t = translator(foreignTexts);

/** What a payee received in another currency; the server writes the amount in its decimals. */
export const foreignAmount = object({ text, rate: text });

/** Payments in other currencies, added up in both. */
export const foreignSums = list(object({ currency: text, text, cents: number }));

export type ForeignAmount = Infer<typeof foreignAmount>;
export type ForeignSum = Infer<typeof foreignSums>[number];

/** An amount in both currencies, such as "$3,600.00 = KES 464,400 at 129.00". */
export function inBothCurrencies(cents: number, foreign: ForeignAmount | null): string {
  const dollars = formatCents(cents);
  if (foreign === null) return dollars;
  return t("payment", { dollars, amount: foreign.text, rate: foreign.rate });
}

/** A sum in both currencies, such as "$7,200.00 = KES 928,800". */
export function sumInBoth({ cents, text: amount }: ForeignSum): string {
  return t("sum", { dollars: formatCents(cents), amount });
}

export { t as foreignText };
