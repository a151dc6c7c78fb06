import { apiSend } from "@/lib/api/api-client";
import { object, text } from "@/lib/api/decode";
import type { OtherWay } from "@/lib/models/other-ways";
import { registrationOf } from "./api";
import type { JoinDraft } from "./join-draft";

/** The registration details of a promise to pay without a card. */
export function promiseOf(draft: JoinDraft, password: string, way: OtherWay) {
  const { billingDay: _day, paymentMethodId: _card, ...details } = registrationOf(draft, password, "");
  return { ...details, way };
}

export function registerPromise(
  body: ReturnType<typeof promiseOf>,
  idempotencyKey: string,
): Promise<{ readonly token: string }> {
  return apiSend("POST", "/register/promise", body, object({ token: text }), { idempotencyKey });
}
