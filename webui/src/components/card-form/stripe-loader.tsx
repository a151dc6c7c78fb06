import type { Stripe } from "@stripe/stripe-js";
import { useEffect, useState, type ComponentType, type Ref } from "react";
import type { CardFormHandle } from "@/lib/payments/card-form-handle";
import { CardFormError, CardFormWaiting } from "./card-form-states";
import type { StripeCardForm } from "./stripe-card-form";

type Loaded = {
  readonly stripe: Stripe;
  readonly Form: ComponentType<Parameters<typeof StripeCardForm>[0]>;
};

/** Loads Stripe's script and our wrapper, only on pages with a card form. */
export function StripeLoader({
  publishableKey,
  ...form
}: {
  readonly publishableKey: string;
  readonly mode: "subscription" | "payment";
  readonly amountCents: number;
  readonly locked: boolean;
  readonly ref: Ref<CardFormHandle>;
}) {
  const [tries, setTries] = useState(0);
  const [loaded, setLoaded] = useState<Loaded | "failed" | null>(null);
  useEffect(() => {
    let gone = false;
    const keep = (result: Loaded | "failed") => {
      if (!gone) setLoaded(result);
    };
    load(publishableKey).then(keep, () => keep("failed"));
    return () => {
      gone = true;
    };
  }, [publishableKey, tries]);
  if (loaded === null) return <CardFormWaiting />;
  if (loaded === "failed") {
    return (
      <CardFormError
        onRetry={() => {
          setLoaded(null);
          setTries(tries + 1);
        }}
      />
    );
  }
  return <loaded.Form {...form} onLoadError={() => setLoaded("failed")} stripe={loaded.stripe} />;
}

async function load(publishableKey: string): Promise<Loaded> {
  const [{ loadStripeOnce }, { StripeCardForm: Form }] = await Promise.all([
    import("@/lib/payments/stripe"),
    import("./stripe-card-form"),
  ]);
  const stripe = await loadStripeOnce(publishableKey);
  if (stripe === null) throw new Error("Stripe did not load");
  return { stripe, Form };
}
