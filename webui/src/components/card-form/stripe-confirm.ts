import type { Stripe } from "@stripe/stripe-js";
import cardTexts from "@/messages/en/card-form.json";
import { translator } from "@/lib/text/messages";

const t = translator(cardTexts);

/** Lets the cardholder's bank ask; null if it agreed, else the error message. */
export async function confirmWithBank(stripe: Stripe, clientSecret: string): Promise<string | null> {
  const { error } = await stripe.handleNextAction({ clientSecret });
  return error === undefined ? null : (error.message ?? t("confirm.failed"));
}
