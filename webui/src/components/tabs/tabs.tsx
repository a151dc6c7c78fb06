import { useId, useRef, type KeyboardEvent, type ReactNode } from "react";
import { Link } from "react-router-dom";
import styles from "./tabs.module.css";

export type Tab<T extends string> = { readonly id: T; readonly label: ReactNode };

/** Tabs that swap a panel on the same page: arrow keys, Home and End move between them. */
export function Tabs<T extends string>({
  label,
  tabs,
  current,
  onSelect,
  panelId,
}: {
  readonly label: string;
  readonly tabs: readonly Tab<T>[];
  readonly current: T;
  readonly onSelect: (id: T) => void;
  /** The id of the element with role="tabpanel". */
  readonly panelId: string;
}) {
  const base = useId();
  const row = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    // Relative to the focus: the panel of the last tab may still be loading.
    const buttons = [...(row.current?.querySelectorAll("button") ?? [])];
    const next = nextIndex(event.key, buttons.indexOf(event.target as HTMLButtonElement), tabs.length);
    const tab = next === null ? undefined : tabs[next];
    if (tab === undefined || next === null) return;
    event.preventDefault();
    onSelect(tab.id);
    buttons[next]?.focus();
  };
  return (
    <div
      aria-label={label}
      className={styles.tabs}
      onKeyDown={move}
      ref={row}
      role="tablist"
      tabIndex={-1}
    >
      {tabs.map((tab) => (
        <button
          aria-controls={panelId}
          aria-selected={tab.id === current}
          id={`${base}-${tab.id}`}
          key={tab.id}
          onClick={() => onSelect(tab.id)}
          role="tab"
          tabIndex={tab.id === current ? 0 : -1}
          type="button"
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}

/** Tabs that are links to separate pages. */
export function LinkTabs({
  label,
  caption,
  tabs,
}: {
  readonly label: string;
  /** A label before the tabs. */
  readonly caption?: string;
  readonly tabs: readonly {
    readonly to: string;
    readonly label: string;
    readonly current: boolean;
  }[];
}) {
  return (
    <nav aria-label={label} className={styles.tabs}>
      {caption === undefined ? null : <span className={styles.caption}>{caption}</span>}
      {tabs.map((tab) => (
        <Link aria-current={tab.current ? "page" : undefined} key={tab.to} to={tab.to}>
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}

function nextIndex(key: string, index: number, count: number): number | null {
  if (key === "ArrowRight") return (index + 1) % count;
  if (key === "ArrowLeft") return (index - 1 + count) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : null;
}
