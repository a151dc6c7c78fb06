import type { RadioCard } from "@/components/radio-cards/radio-cards";
import membershipTexts from "@/messages/en/membership.json";
import { dayOfMonth, type BillingDay } from "@/lib/payments/billing-day";
import { translator } from "@/lib/text/messages";

const t = translator(membershipTexts);

/**
 * The three billing days. `current` means today's day of the month; a member who already has it
 * and does not change it keeps the day on which they joined.
 */
export function billingDayCards(today: string, current: BillingDay | null): RadioCard<BillingDay>[] {
  const joined = current === "current";
  return [
    {
      value: "current",
      label: joined ? t("plan.day-as-joined") : t("plan.day-current", { day: dayOfMonth(today) }),
      note: joined ? t("plan.day-note") : t("plan.day-current-note"),
    },
    { value: "1", label: t("plan.day-1"), note: t("plan.day-note") },
    { value: "28", label: t("plan.day-28"), note: t("plan.day-note") },
  ];
}
