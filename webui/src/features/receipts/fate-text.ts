import receiptTexts from "@/messages/en/receipts.json";
import type { Receipt } from "@/api/schema";
import { formatDate } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import type { Fate } from "./fate";

const t = translator(receiptTexts);

/** What became of a promised ballot, in one sentence. */
export function fateText(fate: Fate, receipt: Receipt, today: Date): string {
  // Midnight belongs to the day that ends with it.
  const latest = new Date(Date.parse(receipt.listedBy) - 1);
  return t(`fate.${fate}`, { date: formatDate(latest.toISOString(), today) });
}
