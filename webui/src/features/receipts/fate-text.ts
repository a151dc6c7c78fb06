import receiptTexts from "@/messages/en/receipts.json";
import { isPromise, type AnyReceipt } from "@/lib/models/receipt";
import { formatDate } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import type { Fate } from "./fate";

const t = translator(receiptTexts);

/** What became of a promised ballot, in one sentence. */
export function fateText(fate: Fate, receipt: AnyReceipt, today: Date): string {
  // Midnight belongs to the day that ends with it.
  const latest = isPromise(receipt) ? new Date(Date.parse(receipt.listedBy) - 1) : null;
  const date = latest === null ? "" : formatDate(latest.toISOString(), today);
  return t(`fate.${fate}`, { date });
}
