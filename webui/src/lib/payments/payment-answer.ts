import { ApiError, apiSend } from "@/lib/api/api-client";
import { flag, nothing, object, optional, text, withDefault, type Infer } from "@/lib/api/decode";

/** The answer to a payment: taken, or to be confirmed with the cardholder's bank first. */
export const paymentAnswer = object({
  requiresAction: withDefault(flag, false),
  clientSecret: optional(text),
  token: optional(text),
  /** Its entry in the books, where it is booked already. */
  entry: optional(text),
});

export type PaymentAnswer = Infer<typeof paymentAnswer>;

/** A unique idempotency key; the same key never charges twice. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** True if the outcome of a request is unknown, so that it must be retried unchanged. */
export function hasNoAnswer(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  if (error.code === "request_running") return true;
  // A 5xx without the server's error format comes from a proxy.
  return error.status === 0 || (error.status >= 500 && error.code === "unknown");
}

/** Confirms or refuses a sandbox payment, like the cardholder's bank. */
export function confirmInSandbox(clientSecret: string, outcome: "succeed" | "fail"): Promise<null> {
  return apiSend("POST", "/sandbox/confirm", { clientSecret, outcome }, nothing);
}
