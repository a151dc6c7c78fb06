import { apiSend } from "@/lib/api/api-client";
import { nothing } from "@/lib/api/decode";

/** Subscribes to the newsletter; a confirmation link is emailed. */
export function subscribe(email: string): Promise<null> {
  return apiSend("POST", "/newsletter", { email }, nothing);
}

/** Confirms the subscription (double opt-in). */
export function confirmSubscription(code: string): Promise<null> {
  return apiSend("POST", "/newsletter/confirm", { code }, nothing);
}

export function unsubscribe(code: string): Promise<null> {
  return apiSend("POST", "/newsletter/unsubscribe", { code }, nothing);
}
