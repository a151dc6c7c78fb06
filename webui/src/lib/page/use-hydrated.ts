import { useSyncExternalStore } from "react";

/** False at prerendering and during hydration. */
export function useHydrated(): boolean {
  return useSyncExternalStore(noUpdates, hydrated, prerendered);
}

const noUpdates = () => () => undefined;
const hydrated = () => true;
const prerendered = () => false;
