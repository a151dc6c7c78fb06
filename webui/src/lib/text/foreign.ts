import type { ForeignAmount, ForeignSum } from "@/api/schema";
import foreignTexts from "@/messages/en/foreign.json";
import { formatCents } from "./format";
import { numberFormat } from "./formatters";
import { translator } from "./messages";

const t = translator(foreignTexts);

/** An amount in both currencies, such as "$3,600.00 = KES 464,400 at 129.00". */
export function inBothCurrencies(cents: number, foreign?: Pick<ForeignAmount, "text" | "rate"> | null): string {
  const dollars = formatCents(cents);
  if (!foreign) return dollars;
  const { text: amount, rate } = foreign;
  return t("payment", { dollars, amount: localAmount(amount), rate: localNumber(rate) });
}

/** A sum in both currencies, such as "$7,200.00 = KES 928,800". */
export function sumInBoth({ cents, text: amount }: ForeignSum): string {
  return t("sum", { dollars: formatCents(cents), amount: localAmount(amount) });
}

/** The server's "KES 464,400" as the reader's language writes it. */
function localAmount(written: string): string {
  const [currency = "", amount = ""] = written.split(" ");
  if (!/^[A-Z]{3}$/.test(currency)) return written;
  return localNumber(amount, { style: "currency", currency, currencyDisplay: "code" });
}

/** A number with the decimals that the server gave it. */
function localNumber(written: string, options: Intl.NumberFormatOptions = {}): string {
  const digits = written.replaceAll(",", "");
  const decimals = digits.split(".")[1]?.length ?? 0;
  const exactly = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return numberFormat({ ...options, ...exactly }).format(Number(digits));
}

export { t as foreignText };
