import { classNames } from "@/lib/ui/class-names";
import styles from "./skeleton.module.css";

/** Holds the place of something that is on its way; it appears only when that takes a while. */
export function Skeleton({
  shape = "line",
}: {
  readonly shape?:
    "line" | "words" | "title" | "numeral" | "count" | "picture" | "wide" | "block";
}) {
  return <span aria-hidden="true" className={classNames(styles.skeleton, styles[shape])} />;
}
