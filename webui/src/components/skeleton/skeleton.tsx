import { classNames } from "@/lib/ui/class-names";
import styles from "./skeleton.module.css";

/** A loading placeholder; it appears after a short delay. */
export function Skeleton({
  shape = "line",
}: {
  readonly shape?:
    "line" | "words" | "title" | "numeral" | "count" | "picture" | "wide" | "block";
}) {
  return <span aria-hidden="true" className={classNames(styles.skeleton, styles[shape])} />;
}
