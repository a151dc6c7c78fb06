import { useEffect } from "react";

/**
 * Acts when the network is back.
 *
 * @param act null while nothing waits for it.
 */
export function useWhenOnline(act: (() => void) | null): void {
  useEffect(() => {
    if (act === null) return undefined;
    window.addEventListener("online", act);
    return () => window.removeEventListener("online", act);
  }, [act]);
}
