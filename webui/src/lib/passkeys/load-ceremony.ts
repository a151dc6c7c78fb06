import { unreached } from "@/lib/api/api-client";
import type * as Ceremony from "./ceremony";

/** Loads the code that makes and uses passkeys; without a network it fails as a call does. */
export function loadCeremony(): Promise<typeof Ceremony> {
  return import("./ceremony").catch(() => {
    throw unreached();
  });
}

/** Whether the person closed the browser's window; that needs no message. */
export function wasCancelled(error: unknown): boolean {
  return error instanceof DOMException && ["NotAllowedError", "AbortError"].includes(error.name);
}
