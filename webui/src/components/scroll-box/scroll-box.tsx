import type { ReactNode } from "react";
import styles from "./scroll-box.module.css";

/** Something wider than a phone, such as a table: it scrolls sideways, also from the keyboard. */
export function ScrollBox({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}) {
  return (
    // Who uses the keyboard alone scrolls it with the arrow keys, so it takes the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div aria-label={label} className={styles.box} role="group" tabIndex={0}>
      {children}
    </div>
  );
}
