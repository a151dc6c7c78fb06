import type { ReactNode } from "react";
import styles from "./accordion.module.css";

export type AccordionItem = {
  readonly id: string;
  readonly title: ReactNode;
  readonly body: ReactNode;
};

const NONE: readonly string[] = [];

/** Sections that open and close, several at once; works without scripts. */
export function Accordion({
  items,
  open = NONE,
}: {
  readonly items: readonly AccordionItem[];
  /** Ids of the sections that are open initially. */
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
