/** Whose card it is, as the payment provider wants to know it (spec §7). */
export type BillingDetails = { readonly name: string; readonly email: string };

export type MadePaymentMethod =
  { readonly id: string; readonly error: null } | { readonly id: null; readonly error: string };

/** What a card form can do, whoever is behind it: Stripe, or the sandbox. */
export type CardFormHandle = {
  /** Turns what was typed into a payment method; each call makes a new one. */
  readonly makePaymentMethod: (billing: BillingDetails) => Promise<MadePaymentMethod>;
  /** Lets the cardholder confirm with the bank; null when they did, else what went wrong. */
  readonly confirm: (clientSecret: string) => Promise<string | null>;
};
