import type { ReactNode } from "react";
import styles from "./accordion.module.css";

export type AccordionItem = {
  readonly id: string;
  readonly title: ReactNode;
  readonly body: ReactNode;
};

const NONE: readonly string[] = [];

/** Sections that open and close; several may be open at once, and they work without script. */
export function Accordion({
  items,
  open = NONE,
}: {
  readonly items: readonly AccordionItem[];
  /** The ids of those that are open at first. */
  readonly open?: readonly string[];
}) {
  return (
    <div className={styles.accordion}>
      {items.map((item) => (
        <details key={item.id} open={open.includes(item.id)}>
          <summary>
            <span>{item.title}</span>
            <span aria-hidden="true" className={styles.sign} />
          </summary>
          <div className={styles.body}>{item.body}</div>
        </details>
      ))}
    </div>
  );
}
