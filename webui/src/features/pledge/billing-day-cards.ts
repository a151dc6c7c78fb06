import type { NextCharge } from "@/api/schema";
import type { RadioCard } from "@/components/radio-cards/radio-cards";
import accountTexts from "@/messages/en/account.json";
import { dayOfMonth, type BillingDay } from "@/lib/payments/billing-day";
import { translator } from "@/lib/text/messages";

const account = translator(accountTexts);

/**
 * The three billing days. `current` means today's day of the month; a member who already has it
 * and does not change it keeps their own.
 */
export function billingDayCards(
  today: string,
  current: BillingDay | null,
  charges: readonly NextCharge[],
): RadioCard<BillingDay>[] {
  const joined = current === "current";
  // Of three months one has 31 days, so that the latest day is the one agreed on.
  const day = Math.max(...charges.map(({ date }) => dayOfMonth(date)));
  return [
    {
      value: "current",
      label:
        joined && charges.length === 0
          ? account("plan.day-as-joined")
          : account("plan.day-current", { day: joined ? day : dayOfMonth(today) }),
      note: joined ? account("plan.day-note") : account("plan.day-current-note"),
    },
    { value: "1", label: account("plan.day-1"), note: account("plan.day-note") },
    { value: "28", label: account("plan.day-28"), note: account("plan.day-note") },
  ];
}
