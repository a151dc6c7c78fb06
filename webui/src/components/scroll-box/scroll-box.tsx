import type { ReactNode } from "react";
import styles from "./scroll-box.module.css";

/** A box that scrolls sideways, also with the keyboard, for wide content such as tables. */
export function ScrollBox({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}) {
  return (
    // Focusable, so that the arrow keys scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div aria-label={label} className={styles.box} role="group" tabIndex={0}>
      {children}
    </div>
  );
}
