import type { Done } from "@/api/schema";
import { ApiError, apiSend } from "@/lib/api/api-client";

/** The answer to a payment: taken, or to be confirmed with the cardholder's bank first. */
export type PaymentAnswer = {
  readonly message: string;
  readonly requiresAction?: true;
  readonly clientSecret?: string;
  readonly token?: string;
  /** Its entry in the books, where it is booked already. */
  readonly entry?: string | null;
};

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
export function confirmInSandbox(clientSecret: string, outcome: "succeed" | "fail"): Promise<Done> {
  return apiSend("POST /sandbox/confirm", { clientSecret, outcome });
}
