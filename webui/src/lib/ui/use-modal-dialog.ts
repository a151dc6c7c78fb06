import { useLayoutEffect, useRef, type KeyboardEvent, type RefObject, type SyntheticEvent } from "react";
import { placeNotices } from "./place-notices";

/**
 * Opens a `<dialog>` as a modal for as long as it is mounted. The browser keeps the focus inside,
 * makes the page inert and returns the focus to the opener.
 *
 * @returns the props of the `<dialog>`.
 */
export function useModalDialog(onDismiss: () => void, initialFocus?: RefObject<HTMLElement | null>) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    initialFocus?.current?.focus();
    placeNotices();
    const scrollAgain = stopScrolling();
    return () => {
      dialog?.close();
      scrollAgain();
      placeNotices();
      // The opener may have gone meanwhile: the vote has ended, the row was removed.
      setTimeout(() => {
        if (document.activeElement === document.body) document.getElementById("main")?.focus();
      }, 0);
    };
  }, [initialFocus]);
  const dismiss = (event: SyntheticEvent) => {
    event.preventDefault();
    onDismiss();
  };
  return {
    ref,
    // Escape; the browser would close the dialog without asking the second time.
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === "Escape") dismiss(event);
    },
    // Other ways to dismiss, such as the Back gesture on Android.
    onCancel: dismiss,
  };
}

function stopScrolling(): () => void {
  const { style } = document.body;
  const { overflow, paddingRight } = style;
  // Keeps the room of the scrollbar, or the page would move aside.
  const scrollbar = window.innerWidth - document.documentElement.clientWidth;
  style.overflow = "hidden";
  if (scrollbar > 0) style.paddingRight = `${scrollbar}px`;
  return () => {
    style.overflow = overflow;
    style.paddingRight = paddingRight;
  };
}
