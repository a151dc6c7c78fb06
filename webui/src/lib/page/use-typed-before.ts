import { useLayoutEffect, useRef, type RefObject } from "react";
import { useInBrowser } from "./use-in-browser";

/**
 * The ref of a prerendered form. What was typed or restored by the browser before hydration
 * is passed to `takeOver` before React re-renders the form.
 */
export function useTypedBefore(
  takeOver: (form: HTMLFormElement) => void,
): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const inBrowser = useInBrowser();
  useLayoutEffect(() => {
    if (!inBrowser && form.current !== null) takeOver(form.current);
  }, [inBrowser, takeOver]);
  return form;
}
