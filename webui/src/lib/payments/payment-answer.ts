import { ApiError, apiSend } from "@/lib/api/api-client";
import { flag, nothing, object, optional, text, withDefault, type Infer } from "@/lib/api/decode";

/** The answer to a payment: taken, or to be confirmed with the cardholder's bank first. */
export const paymentAnswer = object({
  requiresAction: withDefault(flag, false),
  clientSecret: optional(text),
  token: optional(text),
});

export type PaymentAnswer = Infer<typeof paymentAnswer>;

/** A key that no other request has; the same key never charges twice. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** True when nobody knows what became of a request, so that it must be sent again as it was. */
export function hasNoAnswer(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  if (error.code === "request_running") return true;
  // A 5xx that is not in the server's own words comes from something in between.
  return error.status === 0 || (error.status >= 500 && error.code === "unknown");
}

/** Stands for the cardholder's bank while payments are played. */
export function confirmInSandbox(clientSecret: string, outcome: "succeed" | "fail"): Promise<null> {
  return apiSend("POST", "/sandbox/confirm", { clientSecret, outcome }, nothing);
}
