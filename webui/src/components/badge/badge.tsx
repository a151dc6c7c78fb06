import type { ReactNode } from "react";
import commonTexts from "@/messages/en/common.json";
import { translator } from "@/lib/text/messages";
import { classNames } from "@/lib/ui/class-names";
import styles from "./badge.module.css";

const t = translator(commonTexts);

export type BadgeTone =
  "plain" | "sea" | "hibiscus" | "indigo" | "marigold" | "palm" | "clay" | "cotton";

/** A short label on a tint. */
export function Badge({
  tone = "plain",
  wraps = false,
  children,
}: {
  readonly tone?: BadgeTone;
  readonly wraps?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <span
      className={classNames(styles.badge, styles[tone], wraps && styles.wraps)}
    >
      {children}
    </span>
  );
}

/** A status as a dot and a word. */
export function StatusDot({
  level,
  children,
}: {
  readonly level: "full" | "half" | "none";
  readonly children: ReactNode;
}) {
  return (
    <span className={styles.status}>
      <span aria-hidden="true" className={classNames(styles.dot, styles[level])} />
      {children}
    </span>
  );
}

/** Marks sample content. */
export function SampleTag() {
  return <SampleText>{t("sample")}</SampleText>;
}

/** The same mark with another text, or with none yet. */
export function SampleText({ children }: { readonly children: ReactNode }) {
  return <span className={styles.sample}>{children}</span>;
}

/** A small count beside a label. */
export function Count({ value }: { readonly value: number }) {
  return <span className={styles.count}>{value}</span>;
}

/** A pulsing dot beside a live figure. */
export function Pulse() {
  return <span aria-hidden="true" className={styles.pulse} />;
}
