import { number, object, oneOf, optional, text, type Infer } from "@/lib/api/decode";
import { OTHER_WAYS } from "@/lib/models/other-ways";

const payment = object({
  way: oneOf(OTHER_WAYS),
  subscriptionAmount: number,
  pledgeStatus: oneOf(["incomplete", "active", "past_due", "paused", "canceled"]),
  reference: text,
  paidUntil: optional(text),
  details: text,
  iban: text,
  holder: text,
  /** A QR code: modules in a row, and the dark ones as a path. */
  code: optional(object({ size: number, path: text })),
});

/** How the member pays without a card. */
export type OtherPayment = Infer<typeof payment>;

export const otherPayment = { path: "/user/payment", decode: payment };
