/** Billing details for the payment provider (spec §7). */
export type BillingDetails = { readonly name: string; readonly email: string };

export type MadePaymentMethod =
  { readonly id: string; readonly error: null } | { readonly id: null; readonly error: string };

/** Interface of both card forms: Stripe's and the sandbox's. */
export type CardFormHandle = {
  /** Creates a payment method from the form; a new one on each call. */
  readonly makePaymentMethod: (billing: BillingDetails) => Promise<MadePaymentMethod>;
  /** Confirms with the cardholder's bank; null on success, else the error message. */
  readonly confirm: (clientSecret: string) => Promise<string | null>;
};
