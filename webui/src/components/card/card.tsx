import type { ReactNode } from "react";
import { classNames } from "@/lib/ui/class-names";
import styles from "./card.module.css";

/** A bordered box. */
export function Card({
  children,
  className,
  label,
}: {
  readonly children: ReactNode;
  readonly className?: string | undefined;
  /** Makes the card a named region. */
  readonly label?: string;
}) {
  return (
    <section aria-label={label} className={classNames(styles.card, className)}>
      {children}
    </section>
  );
}
