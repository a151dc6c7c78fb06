import receiptTexts from "@/messages/en/receipts.json";
import { isPromise, type AnyReceipt } from "@/lib/models/receipt";
import { formatDate } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import type { Fate } from "./fate";

const t = translator(receiptTexts);

/** What became of a promised ballot, in one sentence. */
export function fateText(fate: Fate, receipt: AnyReceipt, today: Date): string {
  const date = isPromise(receipt) ? formatDate(receipt.listedBy, today) : "";
  return t(`fate.${fate}`, { date });
}
