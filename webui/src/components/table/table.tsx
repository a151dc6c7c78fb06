import type { ReactNode } from "react";
import styles from "./table.module.css";

/** A table. Figures get the class "num" and `data-end` to align right. */
export function Table({
  caption,
  head,
  children,
}: {
  /** Caption for screen readers. */
  readonly caption: string;
  readonly head?: readonly string[];
  readonly children: ReactNode;
}) {
  return (
    <table className={styles.table}>
      <caption className="vh">{caption}</caption>
      {head === undefined ? null : (
        <thead>
          <tr>
            {head.map((word, index) => (
              <th data-end={index > 0 ? "" : undefined} key={word} scope="col">
                {word}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>{children}</tbody>
    </table>
  );
}
