import { Elements, PaymentElement, useElements, useStripe } from "@stripe/react-stripe-js";
import type { Stripe, StripeElementsOptionsMode } from "@stripe/stripe-js";
import { useImperativeHandle, useMemo, useState, type Ref } from "react";
import { Skeleton } from "@/components/skeleton/skeleton";
import cardTexts from "@/messages/en/card-form.json";
import type { CardFormHandle } from "@/lib/payments/card-form-handle";
import { translator } from "@/lib/text/messages";
import { confirmWithBank } from "./stripe-confirm";
import { stripeFonts, stripeAppearance } from "./stripe-appearance";
import { CURRENCY } from "@/lib/text/currency";
import styles from "./card-form.module.css";

const t = translator(cardTexts);

type StripeFormProps = {
  readonly stripe: Stripe;
  readonly mode: "subscription" | "payment";
  readonly amountCents: number;
  readonly locked: boolean;
  readonly onLoadError: () => void;
  readonly ref: Ref<CardFormHandle>;
};

/** Stripe's card form with a deferred intent: nothing is created before submit (spec §7). */
export function StripeCardForm({ stripe, mode, amountCents, ...rest }: StripeFormProps) {
  const look = useMemo(() => ({ appearance: stripeAppearance(), fonts: stripeFonts() }), []);
  const options: StripeElementsOptionsMode = {
    mode,
    amount: amountCents,
    currency: CURRENCY.toLowerCase(),
    paymentMethodCreation: "manual",
    allowedPaymentMethodTypes: ["card"],
    ...look,
  };
  return (
    <Elements options={options} stripe={stripe}>
      <StripeFields {...rest} />
    </Elements>
  );
}

function StripeFields({
  locked,
  onLoadError,
  ref,
}: Pick<StripeFormProps, "locked" | "onLoadError" | "ref">) {
  const stripe = useStripe();
  const elements = useElements();
  const [ready, setReady] = useState(false);
  useImperativeHandle(
    ref,
    () => ({
      makePaymentMethod: async (billing) => {
        if (stripe === null || elements === null) return { id: null, error: t("error.not-ready") };
        const checked = await elements.submit();
        if (checked.error) return refusal(checked.error.message);
        const made = await stripe.createPaymentMethod({
          elements,
          params: { billing_details: { ...billing } },
        });
        if (made.error) return refusal(made.error.message);
        return { id: made.paymentMethod.id, error: null };
      },
      confirm: async (clientSecret) =>
        stripe === null ? t("error.not-ready") : await confirmWithBank(stripe, clientSecret),
    }),
    [stripe, elements],
  );
  return (
    <div className={styles.stripe}>
      {ready ? null : (
        <div className={styles.waiting}>
          <Skeleton shape="block" />
        </div>
      )}
      <PaymentElement
        onLoadError={onLoadError}
        onReady={() => setReady(true)}
        options={{ readOnly: locked }}
      />
    </div>
  );
}

function refusal(message: string | undefined): { id: null; error: string } {
  return { id: null, error: message ?? t("error.refused") };
}
