import { apiSend } from "@/lib/api/api-client";
import { paymentAnswer, type PaymentAnswer } from "@/lib/payments/payment-answer";

export type Gift = {
  readonly amountCents: number;
  readonly email: string;
  readonly name: string;
  readonly language: string;
  readonly paymentMethodId: string;
};

export function give(gift: Gift, idempotencyKey: string): Promise<PaymentAnswer> {
  return apiSend("POST", "/gifts", gift, paymentAnswer, { idempotencyKey });
}
