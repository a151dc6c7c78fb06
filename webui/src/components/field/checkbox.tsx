import type { InputHTMLAttributes, ReactNode } from "react";
import styles from "./field.module.css";

/** A checkbox; its label is part of the click target. */
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
