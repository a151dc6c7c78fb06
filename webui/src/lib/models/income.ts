import type { Month } from "@/api/schema";

/** What contributors gave in each month. */
export function incomeByMonth(months: readonly Month[]) {
  return months.map(({ month, pledgesCents, giftsCents }) => ({
    month,
    cents: pledgesCents + giftsCents,
  }));
}
