import { apiSend } from "@/lib/api/api-client";
import { nothing } from "@/lib/api/decode";

/** Asks for the newsletter; a message with a link goes to the address. */
export function subscribe(email: string): Promise<null> {
  return apiSend("POST", "/newsletter", { email }, nothing);
}

/** Says that the address is right (double opt-in). */
export function confirmSubscription(code: string): Promise<null> {
  return apiSend("POST", "/newsletter/confirm", { code }, nothing);
}

export function unsubscribe(code: string): Promise<null> {
  return apiSend("POST", "/newsletter/unsubscribe", { code }, nothing);
}
