import { useId, useRef, type ReactNode, type RefObject } from "react";
import { createPortal } from "react-dom";
import { IconButton } from "@/components/button/button";
import { Selvedge } from "@/components/band/band";
import { classNames } from "@/lib/ui/class-names";
import { useModalDialog } from "@/lib/ui/use-modal-dialog";
import styles from "./modal.module.css";

/** A modal dialog. Escape, the backdrop and the close button dismiss it, except while busy. */
export function Modal({
  title,
  closeLabel,
  onClose,
  busy = false,
  role = "dialog",
  selvedge = false,
  startsAtTitle = false,
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
  /** Puts the focus on the title, for dialogs in which a stray key would decide something. */
  readonly startsAtTitle?: boolean;
  /** Gets the focus; by default the first control does. */
  readonly initialFocus?: RefObject<HTMLElement | null>;
  readonly describedBy?: string;
  readonly children: ReactNode;
}) {
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const dismiss = () => {
    if (!busy) onClose();
  };
  const dialog = useModalDialog(dismiss, startsAtTitle ? heading : initialFocus);
  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      {...dialog}
      aria-describedby={describedBy}
      aria-labelledby={titleId}
      className={styles.modal}
      onMouseDown={(event) => {
        // The backdrop is part of the dialog element; its content is not.
        if (event.target === event.currentTarget) dismiss();
      }}
      role={role}
    >
      <div className={styles.box}>
        {selvedge ? <Selvedge /> : null}
        <div className={classNames(styles.body, "stack")}>
          <h2 id={titleId} ref={heading} tabIndex={-1}>
            {title}
          </h2>
          {children}
        </div>
        <IconButton
          className={styles.close}
          disabled={busy}
          icon="close"
          label={closeLabel}
          onClick={dismiss}
        />
      </div>
    </dialog>,
    document.body,
  );
}
