import { useLayoutEffect, useRef, type RefObject } from "react";
import { useInBrowser } from "./use-in-browser";

/**
 * The ref of a form that the build has drawn. What somebody typed into it before the script was there,
 * or what the browser put into it when the page was loaded again, is taken over before it is drawn anew.
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
