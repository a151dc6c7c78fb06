import membershipTexts from "@/messages/en/membership.json";
import type { BillingDay } from "@/lib/billing-day";
import type { CardDesk } from "@/lib/card-desk";
import { waitForPledge } from "@/lib/member";
import { translator } from "@/lib/messages";
import { notify } from "@/lib/notify";
import type { PaymentAnswer } from "@/lib/payments";
import { useCardPayment, type CardPayment } from "@/lib/use-card-payment";
import { startPledge } from "./api";
import { useMemberArea } from "./member-context";

const t = translator(membershipTexts);

/** Begins a pledge with a card, and reads the profile again when it runs. */
export function useStartPledge(subscriptionAmount: number, billingDay: BillingDay): CardPayment {
  const { reload } = useMemberArea();
  const settle = async (answer: PaymentAnswer, desk: CardDesk): Promise<string | null> => {
    let pending = false;
    if (answer.requiresAction && answer.clientSecret !== null) {
      const refused = await desk.confirm(answer.clientSecret);
      if (refused !== null) return refused;
      const status = await waitForPledge();
      if (status === "canceled") return t("start.refused");
      pending = status === "incomplete";
    }
    notify.success(pending ? t("start.pending") : t("start.done"));
    reload();
    return null;
  };
  return useCardPayment({
    makeBody: (paymentMethodId) => ({ paymentMethodId, subscriptionAmount, billingDay }),
    send: startPledge,
    settle,
  });
}
