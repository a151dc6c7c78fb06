import { useSyncExternalStore } from "react";

/** False at prerendering and during hydration. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(never, inBrowser, drawn);
}

const never = () => () => undefined;
const inBrowser = () => true;
const drawn = () => false;
