import { ApiError, apiSend } from "@/lib/api/api-client";
import { flag, nothing, object, optional, text, withDefault } from "@/lib/api/decode";

/** What the server says to a card: paid, or the cardholder's bank has to be asked first. */
export type PaymentAnswer = {
  readonly requiresAction: boolean;
  readonly clientSecret: string | null;
  readonly token: string | null;
};

export const paymentAnswer = object<PaymentAnswer>({
  requiresAction: withDefault(flag, false),
  clientSecret: optional(text),
  token: optional(text),
});

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
