import { useEffect, useId, useRef, type ReactNode, type RefObject } from "react";
import { createPortal } from "react-dom";
import { IconButton } from "@/components/button/button";
import { Selvedge } from "@/components/band/band";
import { classNames } from "@/lib/ui/class-names";
import { useFocusTrap } from "@/lib/ui/use-focus-trap";
import styles from "./modal.module.css";

/** A dialog above the page. Esc, the scrim and the cross close it, except while something runs. */
export function Modal({
  title,
  closeLabel,
  onClose,
  busy = false,
  role = "dialog",
  selvedge = false,
  initialFocus,
  describedBy,
  children,
}: {
  readonly title: string;
  readonly closeLabel: string;
  readonly onClose: () => void;
  readonly busy?: boolean;
  readonly role?: "dialog" | "alertdialog";
  /** The woven edge, for dialogs that concern money or a vote. */
  readonly selvedge?: boolean;
  /** What takes the focus; else the first control after the cross. */
  readonly initialFocus?: RefObject<HTMLElement | null>;
  readonly describedBy?: string;
  readonly children: ReactNode;
}) {
  const titleId = useId();
  const box = useRef<HTMLDivElement>(null);
  const close = () => {
    if (!busy) onClose();
  };
  useFocusTrap(box, close, initialFocus);
  useInertPage();
  return createPortal(
    <div
      className={styles.scrim}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) close();
      }}
      role="presentation"
    >
      <div
        aria-describedby={describedBy}
        aria-labelledby={titleId}
        aria-modal="true"
        className={styles.modal}
        ref={box}
        role={role}
        tabIndex={-1}
      >
        {selvedge ? <Selvedge /> : null}
        <div className={classNames(styles.body, "stack")}>
          <h2 id={titleId}>{title}</h2>
          {children}
        </div>
        <IconButton
          className={styles.close}
          data-last-focus=""
          disabled={busy}
          icon="close"
          label={closeLabel}
          onClick={close}
        />
      </div>
    </div>,
    document.body,
  );
}

// The page behind cannot be reached or scrolled while the dialog is open.
function useInertPage(): void {
  useEffect(() => {
    const root = document.getElementById("root");
    const { style } = document.body;
    const { overflow, paddingRight } = style;
    // The room of the scrollbar that goes: without it the whole page would move aside.
    const scrollbar = window.innerWidth - document.documentElement.clientWidth;
    root?.setAttribute("inert", "");
    style.overflow = "hidden";
    if (scrollbar > 0) style.paddingRight = `${scrollbar}px`;
    return () => {
      root?.removeAttribute("inert");
      style.overflow = overflow;
      style.paddingRight = paddingRight;
    };
  }, []);
}
