import type { RadioCard } from "@/components/radio-cards/radio-cards";
import accountTexts from "@/messages/en/account.json";
import { dayOfMonth, type BillingDay } from "@/lib/payments/billing-day";
import { translator } from "@/lib/text/messages";

const account = translator(accountTexts);

/**
 * The three billing days. `current` means today's day of the month; a member who already has it
 * and does not change it keeps the day on which they joined.
 */
export function billingDayCards(today: string, current: BillingDay | null): RadioCard<BillingDay>[] {
  const joined = current === "current";
  return [
    {
      value: "current",
      label: joined ? account("plan.day-as-joined") : account("plan.day-current", { day: dayOfMonth(today) }),
      note: joined ? account("plan.day-note") : account("plan.day-current-note"),
    },
    { value: "1", label: account("plan.day-1"), note: account("plan.day-note") },
    { value: "28", label: account("plan.day-28"), note: account("plan.day-note") },
  ];
}
