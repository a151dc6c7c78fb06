import type { ReactNode } from "react";
import { loomPicture } from "@/art/pictures";
import { SvgArt } from "@/components/svg-art/svg-art";
import { classNames } from "@/lib/ui/class-names";
import styles from "./empty-state.module.css";

/** An empty list: one sentence and at most one action. */
export function EmptyState({
  title,
  children,
  small = false,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly small?: boolean;
}) {
  return (
    <div className={classNames(styles.empty, small && styles.small)}>
      <SvgArt inner={loomPicture()} viewBox="0 0 280 160" />
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  );
}
