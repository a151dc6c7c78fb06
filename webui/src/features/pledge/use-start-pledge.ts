import membershipTexts from "@/messages/en/membership.json";
import { apiSend } from "@/lib/api/api-client";
import type { BillingDay } from "@/lib/payments/billing-day";
import type { CardFormHandle } from "@/lib/payments/card-form-handle";
import { waitForPledge } from "@/lib/member/member";
import { translator } from "@/lib/text/messages";
import { notify } from "@/lib/ui/notify";
import type { PaymentAnswer } from "@/lib/payments/payment-answer";
import { useCardPayment, type CardPayment } from "@/lib/payments/use-card-payment";
import { useMemberArea } from "@/lib/member/member-context";

const t = translator(membershipTexts);

/** Starts a pledge with a card and reloads the profile. */
export function useStartPledge(subscriptionAmount: number, billingDay: BillingDay): CardPayment {
  const { reload } = useMemberArea();
  const settle = async (answer: PaymentAnswer, cardForm: CardFormHandle): Promise<string | null> => {
    let pending = false;
    if (answer.clientSecret !== undefined) {
      const refused = await cardForm.confirm(answer.clientSecret);
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
    send: (body, idempotencyKey) => apiSend("PUT /user/pledge", body, { idempotencyKey }),
    settle,
  });
}
