import { useEffect } from "react";

/** Loads the script of the page that comes next, so that a slow line shows no empty page; null waits. */
export function usePreload(load: (() => Promise<unknown>) | null): void {
  useEffect(() => {
    // Without a network the page itself says so when it opens.
    if (navigator.onLine) load?.().catch(() => null);
  }, [load]);
}
