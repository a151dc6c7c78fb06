export type SandboxCard = {
  readonly number: string;
  /** Stripe's name of the test card; nothing else is sent. */
  readonly name: string;
  readonly outcome:
    "visa" | "mastercard" | "shared" | "declined" | "insufficient" | "expired" | "always" | "once" | "later";
};

/** The test cards of the sandbox. */
export const SANDBOX_CARDS: readonly SandboxCard[] = [
  { number: "4242424242424242", name: "pm_card_visa", outcome: "visa" },
  { number: "5555555555554444", name: "pm_card_mastercard", outcome: "mastercard" },
  { number: "4000056655665556", name: "pm_card_visa_debit", outcome: "shared" },
  { number: "4000000000000002", name: "pm_card_chargeDeclined", outcome: "declined" },
  {
    number: "4000000000009995",
    name: "pm_card_chargeDeclinedInsufficientFunds",
    outcome: "insufficient",
  },
  { number: "4000000000000069", name: "pm_card_chargeDeclinedExpiredCard", outcome: "expired" },
  { number: "4000002760003184", name: "pm_card_authenticationRequired", outcome: "always" },
  { number: "4000002500003155", name: "pm_card_authenticationRequiredOnSetup", outcome: "once" },
  { number: "4000000000000341", name: "pm_card_chargeCustomerFail", outcome: "later" },
];

export type TypedCard = { readonly number: string; readonly expiry: string; readonly cvc: string };
export type CardFault = "number" | "unknown" | "expiry" | "past" | "cvc";

/** Validation errors by field; null for valid fields. */
export function cardFault(typed: TypedCard, today: Date): CardFault | null {
  const number = digits(typed.number);
  if (number.length < 12) return "number";
  if (findSandboxCard(number) === null) return "unknown";
  const date = /^(0[1-9]|1[0-2])(\d{2})$/.exec(digits(typed.expiry));
  if (date === null) return "expiry";
  const [month, year] = [Number(date[1]), 2000 + Number(date[2])];
  if (year * 12 + month < today.getFullYear() * 12 + today.getMonth() + 1) return "past";
  return /^\d{3,4}$/.test(typed.cvc.trim()) ? null : "cvc";
}

export function findSandboxCard(number: string): SandboxCard | null {
  return SANDBOX_CARDS.find((card) => card.number === digits(number)) ?? null;
}

/** Digits in groups of four. */
export function groupDigits(number: string): string {
  return (
    digits(number)
      .slice(0, 19)
      .match(/\d{1,4}/g) ?? []
  ).join(" ");
}

/** `0429` as `04 / 29`. */
export function groupExpiry(expiry: string): string {
  const only = digits(expiry).slice(0, 4);
  return only.length > 2 ? `${only.slice(0, 2)} / ${only.slice(2)}` : only;
}

function digits(text: string): string {
  return text.replaceAll(/\D/g, "");
}
