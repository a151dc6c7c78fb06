import { useEffect, useRef, type RefObject } from "react";

/** Gives the focus a place when what had it has gone with a change; else Tab begins at the top again. */
export function useFreedFocus(changed: unknown, place: RefObject<HTMLElement | null>): void {
  const last = useRef(changed);
  useEffect(() => {
    const isFree = document.activeElement === document.body;
    if (last.current !== changed && isFree) place.current?.focus();
    last.current = changed;
  }, [changed, place]);
}
