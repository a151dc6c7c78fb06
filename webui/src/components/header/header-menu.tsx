import { useEffect, useId, useRef } from "react";
import { Link, useLocation } from "react-router-dom";
import { Icon } from "@/components/icon/icon";
import type { LinkGroup } from "./site-links";
import styles from "./header.module.css";

/** A disclosure button with a list of links. Escape closes it and returns the focus. */
export function HeaderMenu({
  group,
  open,
  onToggle,
}: {
  readonly group: LinkGroup;
  readonly open: boolean;
  readonly onToggle: (open: boolean) => void;
}) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    if (!open) return;
    const onPointer = (event: PointerEvent) => {
      if (event.target instanceof Node && box.current?.contains(event.target) !== true)
        onToggle(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      onToggle(false);
      button.current?.focus();
    };
    document.addEventListener("pointerdown", onPointer);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("pointerdown", onPointer);
      document.removeEventListener("keydown", onKey);
    };
  }, [open, onToggle]);
  return (
    <div className={styles.menu} ref={box}>
      <button
        aria-controls={id}
        aria-expanded={open}
        onClick={() => onToggle(!open)}
        ref={button}
        type="button"
      >
        {group.title}
        <Icon name="down" />
      </button>
      <ul className={styles.panel} hidden={!open} id={id}>
        {group.links.map((link) => (
          <li key={link.to}>
            <Link
              aria-current={link.to === pathname ? "page" : undefined}
              onClick={() => onToggle(false)}
              to={link.to}
            >
              {link.label}
              <small>{link.note}</small>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
