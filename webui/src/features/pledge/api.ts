import { apiSend } from "@/lib/api/api-client";
import { changed, type Changed } from "@/lib/member/changed";
import type { BillingDay } from "@/lib/payments/billing-day";
import { paymentAnswer, type PaymentAnswer } from "@/lib/payments/payment-answer";

export function updateSubscription(subscriptionAmount: number): Promise<Changed> {
  return apiSend("PUT", "/user/update-subscription", { subscriptionAmount }, changed);
}

export type PledgeChange = Readonly<
  { billingDay: BillingDay } | { paused: boolean } | { skipNext: boolean } | { canceled: true }
>;

export function changePledge(change: PledgeChange): Promise<Changed> {
  return apiSend("PUT", "/user/pledge", change, changed);
}

export type NewPledge = {
  readonly paymentMethodId: string;
  readonly subscriptionAmount: number;
  readonly billingDay: BillingDay;
};

/** Starts a pledge again; same answer as registering. */
export function startPledge(pledge: NewPledge, idempotencyKey: string): Promise<PaymentAnswer> {
  return apiSend("PUT", "/user/pledge", pledge, paymentAnswer, { idempotencyKey });
}
