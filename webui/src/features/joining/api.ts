import { apiSend } from "@/lib/api/api-client";
import { list, nothing, object, text } from "@/lib/api/decode";
import { paymentAnswer, type PaymentAnswer } from "@/lib/payments/payment-answer";
import { LANGUAGE } from "@/lib/text/messages";
import type { JoinDraft } from "./join-draft";

export const countryList = {
  path: "/countries",
  decode: list(object({ name: text, isoCode: text })),
};

/** Checks whether this email and password can be registered. */
export function checkEmail(email: string, password: string): Promise<null> {
  return apiSend("POST", "/email-exists", { email, password }, nothing);
}

/** The registration details of spec §3. */
export type Registration = ReturnType<typeof registrationOf>;

export function registrationOf(draft: JoinDraft, password: string, paymentMethodId: string) {
  return {
    firstname: draft.firstname.trim(),
    lastname: draft.lastname.trim(),
    email: draft.email.trim(),
    password,
    country: draft.country,
    notifications: draft.notifications,
    privacyPolicy: draft.privacyPolicy,
    // A number field also takes "1e1" and "010".
    contribution: String(Number(draft.contribution)),
    billingDay: draft.billingDay,
    language: LANGUAGE,
    paymentMethodId,
  };
}

export function register(body: Registration, idempotencyKey: string): Promise<PaymentAnswer> {
  return apiSend("POST", "/register", body, paymentAnswer, { idempotencyKey });
}
