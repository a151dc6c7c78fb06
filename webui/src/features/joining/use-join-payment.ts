import { useState } from "react";
import paymentTexts from "@/messages/en/joining-payment.json";
import { ApiError, apiSend } from "@/lib/api/api-client";
import type { CardFormHandle } from "@/lib/payments/card-form-handle";
import { waitForPledge } from "@/lib/member/member";
import { translator } from "@/lib/text/messages";
import { notify } from "@/lib/ui/notify";
import type { PaymentAnswer } from "@/lib/payments/payment-answer";
import { useResourceCache } from "@/lib/api/resource";
import { forgetSession, storeToken } from "@/lib/session/token-storage";
import { useCardPayment, type CardPayment } from "@/lib/payments/use-card-payment";
import { registrationOf } from "./registration";
import { faultsOf, forgetJoinDraft, type JoinDraftState } from "./join-draft";

const t = translator(paymentTexts);

/** Registers with the card; if the bank must confirm, the token is stored after it agreed. */
export function useJoinPayment(form: JoinDraftState): CardPayment & { readonly pending: boolean } {
  const [pending, setPending] = useState(false);
  const cache = useResourceCache();
  const settle = async (answer: PaymentAnswer, cardForm: CardFormHandle): Promise<string | null> => {
    if (answer.token !== undefined) storeToken(answer.token);
    if (answer.clientSecret !== undefined) {
      const refused = await cardForm.confirm(answer.clientSecret);
      const status = refused === null ? await waitForPledge() : "canceled";
      if (status === "canceled") {
        // The same email and password may register again.
        forgetSession();
        return refused ?? t("canceled");
      }
      setPending(status === "incomplete");
    }
    forgetJoinDraft();
    // Refetches what was loaded as a visitor.
    cache.invalidate("/");
    notify.success(t("success"));
    return null;
  };
  const payment = useCardPayment({
    makeBody: (paymentMethodId) => registrationOf(form.draft, form.password, paymentMethodId),
    send: async (body, key) => {
      try {
        return await apiSend("POST /register", body, { idempotencyKey: key });
      } catch (error) {
        // Errors of email and password are shown at their fields too.
        if (error instanceof ApiError) form.setFaults(faultsOf(error));
        throw error;
      }
    },
    settle,
  });
  return { ...payment, pending };
}
