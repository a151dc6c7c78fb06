import { useSyncExternalStore } from "react";

/** False while a page is as the build has drawn it, which knows nothing of this browser. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(never, inBrowser, drawn);
}

const never = () => () => undefined;
const inBrowser = () => true;
const drawn = () => false;
