import { useEffect, useRef, type RefObject } from "react";

/** Moves the focus to `place` if the focused element was removed by a change. */
export function useFocusFallback(changed: unknown, place: RefObject<HTMLElement | null>): void {
  const last = useRef(changed);
  useEffect(() => {
    const isFree = document.activeElement === document.body;
    if (last.current !== changed && isFree) place.current?.focus();
    last.current = changed;
  }, [changed, place]);
}
