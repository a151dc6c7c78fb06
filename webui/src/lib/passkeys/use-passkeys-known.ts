import { useSyncExternalStore } from "react";

const never = () => () => {};
const known = () => "PublicKeyCredential" in globalThis;
const unknown = () => false;

/** Whether the browser knows passkeys; false while prerendering. */
export function usePasskeysKnown(): boolean {
  return useSyncExternalStore(never, known, unknown);
}
