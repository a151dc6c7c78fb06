import { loadStripe } from "@stripe/stripe-js/pure";
import type { Stripe } from "@stripe/stripe-js";

const loaded = new Map<string, Promise<Stripe | null>>();

/** Loads Stripe's script once per key. Import this only on routes that take a card. */
export function loadStripeOnce(publishableKey: string): Promise<Stripe | null> {
  const known = loaded.get(publishableKey);
  if (known !== undefined) return known;
  const loading = loadStripe(publishableKey).catch((error: unknown) => {
    // A failed load may be retried.
    loaded.delete(publishableKey);
    throw error;
  });
  loaded.set(publishableKey, loading);
  return loading;
}
