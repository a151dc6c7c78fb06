import { useSyncExternalStore } from "react";

const never = () => () => {};
const unknown = () => false;

/** Whether the browser knows passkeys, which belong to a host name: not to an IP address. */
export function usePasskeysKnown(): boolean {
  return useSyncExternalStore(never, known, unknown);
}

function known(): boolean {
  return "PublicKeyCredential" in globalThis && !/^[\d.]+$|:/.test(location.hostname);
}
