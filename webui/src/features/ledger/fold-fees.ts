import type { Transaction } from "@/api/schema";

/** A payment with its card fee inside, or any other transaction. */
export type FoldedTransaction = Transaction & { readonly feeCents: number };

const FEE = ":fee";

/**
 * Put each card fee into the payment it was taken from.
 *
 * The answer has both on one page, the fee after its payment. A fee without its payment stays.
 */
export function foldFees(items: readonly Transaction[]): FoldedTransaction[] {
  const payments = new Set(items.map(({ id }) => id));
  const fees = new Map(
    items
      .filter(({ id }) => id.endsWith(FEE) && payments.has(id.slice(0, -FEE.length)))
      .map((fee) => [fee.id, fee.amountCents]),
  );
  return items
    .filter(({ id }) => !fees.has(id))
    .map((item) => ({ ...item, feeCents: fees.get(`${item.id}${FEE}`) ?? 0 }));
}
