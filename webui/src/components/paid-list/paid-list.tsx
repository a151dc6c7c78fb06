import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { Button } from "@/components/button/button";
import styles from "./paid-list.module.css";

/** What a row says: a day or country, what was paid for, and how much; on a phone the name has its own line. */
export type PaidRow = {
  readonly key: string;
  readonly lead?: ReactNode;
  readonly name: ReactNode;
  readonly extra?: ReactNode;
  readonly amount: ReactNode;
  /** What a press on the row opens, and the words for it. */
  readonly details?: { readonly more: string; readonly less: string; readonly content: ReactNode };
};

type More = {
  /** How many are shown: "Showing 6 of 9". */
  readonly shown: string;
  readonly label: string;
  /** Null if all are shown. */
  readonly load: (() => void) | null;
  readonly busy?: string | false;
  readonly failed?: string | false;
};

/** Payments as rows, or what they paid for as elements of its own look; the focus goes to the first of more. */
export function PaidList(
  props: { readonly more?: More } & (
    | { readonly rows: readonly PaidRow[] }
    | { readonly elements: readonly ReactNode[]; readonly className?: string | undefined }
  ),
) {
  const { more } = props;
  const elements = "elements" in props ? props.elements : props.rows.map((row) => <Row key={row.key} row={row} />);
  const list = useRef<HTMLUListElement>(null);
  const asked = useRef<number | null>(null);
  useEffect(() => {
    const first = asked.current === null ? null : list.current?.children[asked.current];
    if (first || more?.failed) asked.current = null;
    first?.querySelector<HTMLElement>("a, button")?.focus();
  }, [elements.length, more?.failed]);
  const { load = null } = more ?? {};
  const press = () => {
    asked.current = elements.length;
    load?.();
  };
  return (
    <>
      <ul className={"elements" in props ? props.className : styles.rows} ref={list}>
        {elements}
      </ul>
      {more ? (
        <div className={styles.foot}>
          <p className="muted" role="status">{more.shown}</p>
          {more.failed ? <p role="alert">{more.failed}</p> : null}
          {load ? <Button busy={more.busy} kind="line" onClick={press}>{more.label}</Button> : null}
        </div>
      ) : null}
    </>
  );
}

function Row({ row: { lead, name, extra, amount, details } }: { readonly row: PaidRow }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const cells = (
    <>
      <span className={styles.lead}>{lead}</span>
      <span className={styles.name}>{name}</span>
      <span className={styles.extra}>{details ? <b>{open ? details.less : details.more}</b> : extra}</span>
      <span className={styles.amount}>{amount}</span>
    </>
  );
  if (!details) return <li className={styles.row}>{cells}</li>;
  return (
    <li>
      <button aria-controls={open ? id : undefined} aria-expanded={open} className={styles.row} onClick={() => setOpen(!open)} type="button">
        {cells}
      </button>
      {open ? <div id={id}>{details.content}</div> : null}
    </li>
  );
}
