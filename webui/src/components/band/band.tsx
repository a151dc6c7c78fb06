import { artPath } from "@/lib/page/paths";
import { classNames } from "@/lib/ui/class-names";
import styles from "./band.module.css";

/** The woven edge along the top of every page, and of dialogs about money or a vote. */
export function Selvedge() {
  return <div aria-hidden="true" className={styles.selvedge} />;
}

/** A strip of cloth between two parts of a page. */
export function Band({
  thin = false,
  eager = false,
}: {
  readonly thin?: boolean;
  /** For a strip of the first view. */
  readonly eager?: boolean;
}) {
  return (
    <img
      alt=""
      className={classNames(styles.band, thin && styles.thin)}
      height="100"
      loading={eager ? "eager" : "lazy"}
      src={artPath("band")}
      width="4000"
    />
  );
}
