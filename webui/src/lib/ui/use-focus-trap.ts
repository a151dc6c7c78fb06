import { useEffect, useRef, type RefObject } from "react";

const FOCUSABLE =
  'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), summary, [tabindex="0"]';

/** Keeps the focus inside a dialog, gives it back to the opener, and closes on Esc. */
export function useFocusTrap(
  box: RefObject<HTMLElement | null>,
  onEscape: () => void,
  initialFocus?: RefObject<HTMLElement | null>,
): void {
  const escape = useRef(onEscape);
  useEffect(() => {
    escape.current = onEscape;
  });
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const opener = document.activeElement;
    const first = initialFocus?.current ?? controls(element)[0] ?? element;
    first.focus();
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") escape.current();
      if (event.key === "Tab") turn(element, event);
    };
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("keydown", onKey);
      // The page is no longer inert only after all clean-ups have run.
      setTimeout(() => giveBack(opener), 0);
    };
  }, [box, initialFocus]);
}

// What opened the dialog may have gone meanwhile: a vote has ended, a row was removed.
function giveBack(opener: Element | null): void {
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
  const target = isThere ? opener : document.getElementById("main");
  target?.focus({ preventScroll: !isThere });
}

function turn(element: HTMLElement, event: KeyboardEvent): void {
  const all = controls(element);
  const [first, last] = [all[0], all.at(-1)];
  const inside = element.contains(document.activeElement);
  if (event.shiftKey && (document.activeElement === first || !inside)) {
    event.preventDefault();
    last?.focus();
  } else if (!event.shiftKey && (document.activeElement === last || !inside)) {
    event.preventDefault();
    first?.focus();
  }
}

function controls(element: HTMLElement): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (control) => control.tabIndex >= 0 && !control.closest("[inert]"),
  );
}
