import { useLayoutEffect, useRef, type RefObject } from "react";
import { useHydrated } from "./use-hydrated";

/**
 * The ref of a prerendered form. What was typed or restored by the browser before hydration
 * is passed to `takeOver` before React re-renders the form.
 */
export function usePrehydrationInput(
  takeOver: (form: HTMLFormElement) => void,
): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const hydrated = useHydrated();
  useLayoutEffect(() => {
    if (!hydrated && form.current !== null) takeOver(form.current);
  }, [hydrated, takeOver]);
  return form;
}

/** What a named field of a form contains. */
export function textIn(form: HTMLFormElement, name: string): string {
  return String(new FormData(form).get(name) ?? "");
}
