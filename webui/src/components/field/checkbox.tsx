import type { InputHTMLAttributes, ReactNode } from "react";
import styles from "./field.module.css";

/** A box to tick, with its words as part of the target. */
export function Checkbox({
  children,
  ...input
}: { readonly children: ReactNode } & Omit<InputHTMLAttributes<HTMLInputElement>, "type">) {
  return (
    <label className={styles.check}>
      <input type="checkbox" {...input} />
      <span>{children}</span>
    </label>
  );
}
