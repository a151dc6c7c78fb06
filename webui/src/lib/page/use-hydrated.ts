import { useSyncExternalStore } from "react";

/** False at prerendering and during hydration; true right after. */
export function useHydrated(): boolean {
  return useSyncExternalStore(noUpdates, yes, no);
}

/**
 * Whether this render takes over what the server rendered. Unlike `useHydrated`, it causes no second
 * render.
 */
export function useIsHydrating(): boolean {
  const before = hydrations;
  useSyncExternalStore(noUpdates, no, countHydration);
  return hydrations > before;
}

const noUpdates = () => () => undefined;
const yes = () => true;
const no = () => false;

let hydrations = 0;
/** React asks for the server's snapshot only when it prerenders or hydrates. */
const countHydration = () => {
  hydrations += 1;
  return false;
};
