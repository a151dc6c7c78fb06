import type { MonthLine } from "@/api/schema";

/** What contributors gave in each month. */
export function incomeByMonth(months: readonly MonthLine[]) {
  return months.map(({ month, pledgesCents, giftsCents }) => ({
    month,
    cents: pledgesCents + giftsCents,
  }));
}
