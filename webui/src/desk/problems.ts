// What went wrong, in a sentence.

import { say } from "@/field/texts";
import { Refusal } from "./calls";

/** The browser does not tell a person who cancels from a device without the passkey. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && (error.name === "NotAllowedError" || error.name === "AbortError");
}

export function explain(error: unknown): string {
  if (error instanceof Refusal) return error.code === "" ? say("offline") : error.message || say("failed");
  if (error instanceof DOMException && error.name === "SecurityError") return say("otherSite", { host: location.host });
  if (error instanceof DOMException && error.name === "InvalidStateError") return say("knownPasskey");
  return say("failed");
}
