import paymentTexts from "@/messages/en/joining-payment.json";
import { ApiError, apiSend } from "@/lib/api/api-client";
import type { CardFormHandle } from "@/lib/payments/card-form-handle";
import { waitForPledge } from "@/lib/member/member";
import { translator } from "@/lib/text/messages";
import { notify } from "@/lib/ui/notify";
import type { PaymentAnswer } from "@/lib/payments/payment-answer";
import { useResourceCache, type ResourceCache } from "@/lib/api/resource";
import { forgetSession, storeToken } from "@/lib/session/token-storage";
import { useCardPayment, type CardPayment } from "@/lib/payments/use-card-payment";
import { registrationOf } from "./registration";
import { faultsOf, forgetJoinDraft, type JoinDraftState } from "./join-draft";

const t = translator(paymentTexts);

// Who has paid sees that soon, with the figures or without them.
const FIGURES_MS = 5000;

/** What is known once the card was accepted. */
export type Accepted = {
  /** Whether the bank agreed, and the payment is still on its way to us. */
  readonly isUnderway: boolean;
  /** Whether the figures that the page has are those with the new member. */
  readonly isCounted: boolean;
};

/** Registers with the card; if the bank must confirm, the token is stored after it agreed. */
export function useJoinPayment(
  form: JoinDraftState,
  onAccepted: (accepted: Accepted) => void,
): CardPayment {
  const cache = useResourceCache();
  const settle = async (answer: PaymentAnswer, cardForm: CardFormHandle): Promise<string | null> => {
    if (answer.token !== undefined) storeToken(answer.token);
    let isUnderway = false;
    if (answer.clientSecret !== undefined) {
      const refused = await cardForm.confirm(answer.clientSecret);
      const status = refused === null ? await waitForPledge() : "canceled";
      if (status === "canceled") {
        // The same email and password may register again.
        forgetSession();
        return refused ?? t("canceled");
      }
      isUnderway = status === "incomplete";
    }
    forgetJoinDraft();
    // Refetches what was loaded as a visitor.
    cache.invalidate("/");
    notify.success(t("success"));
    onAccepted({ isUnderway, isCounted: await figuresOfNow(cache) });
    return null;
  };
  return useCardPayment({
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
}

/** Asks for the number of changemakers and the open votes; false if they are late. */
async function figuresOfNow(cache: ResourceCache): Promise<boolean> {
  const asked = (["/stats", "/user/get-proposals#open"] as const).map((path) => cache.reload(path));
  const late = new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(false), FIGURES_MS);
  });
  return await Promise.race([late, Promise.all(asked).then((all) => all.every(Boolean))]);
}
