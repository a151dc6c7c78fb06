import { apiSend } from "@/lib/api-client";
import { paymentAnswer, type PaymentAnswer } from "@/lib/payments";

export type Gift = {
  readonly amountCents: number;
  readonly email: string;
  readonly name: string;
  readonly paymentMethodId: string;
};

export function give(gift: Gift, idempotencyKey: string): Promise<PaymentAnswer> {
  return apiSend("POST", "/gifts", gift, paymentAnswer, { idempotencyKey });
}
