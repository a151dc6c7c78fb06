import { artPath } from "@/lib/page/paths";
import { classNames } from "@/lib/ui/class-names";
import styles from "./band.module.css";

/** The woven edge at the top of pages, and of dialogs about money or a vote. */
export function Selvedge() {
  return <div aria-hidden="true" className={styles.selvedge} />;
}

/** A strip of cloth between two sections. */
export function Band({
  thin = false,
  eager = false,
}: {
  readonly thin?: boolean;
  /** Loads eagerly: the strip is in the first view. */
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
