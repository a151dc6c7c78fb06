import type { ReactNode, Ref } from "react";
import { Card } from "@/components/card/card";
import { classNames } from "@/lib/ui/class-names";
import styles from "./settings.module.css";

/** A card of settings under a heading. */
export function SettingsCard({
  title,
  headingRef,
  children,
}: {
  readonly title: string;
  /** Makes the heading focusable. */
  readonly headingRef?: Ref<HTMLHeadingElement>;
  readonly children: ReactNode;
}) {
  return (
    <Card label={title}>
      <h2 className={styles.heading} ref={headingRef} tabIndex={headingRef === undefined ? undefined : -1}>
        {title}
      </h2>
      {children}
    </Card>
  );
}

/** One setting: its name, what it does, and its control. */
export function SettingsRow({
  title,
  text,
  first = false,
  wide = false,
  children,
}: {
  readonly title: string;
  readonly text: ReactNode;
  /** The first row of a card has no line above it. */
  readonly first?: boolean;
  /** The control is below the text, over the whole width. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={classNames(styles.row, first && styles.first, styles.wrapped, wide && styles.wide)}>
      <b>{title}</b>
      <p className="muted">{text}</p>
      {children}
    </div>
  );
}
