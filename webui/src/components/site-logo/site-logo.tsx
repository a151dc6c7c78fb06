import { Link } from "react-router-dom";
import { paths } from "@/lib/page/paths";
import { ORGANISATION } from "@/lib/text/messages";
import { classNames } from "@/lib/ui/class-names";
import styles from "./site-logo.module.css";

/** The logo, linked to the home page. */
export function SiteLogo({
  label,
  on = "page",
}: {
  readonly label: string;
  /** The background, which decides the colours. */
  readonly on?: "page" | "dark" | "marigold";
}) {
  return (
    <Link aria-label={label} className={classNames(styles.logo, styles[on])} to={paths.home}>
      <svg aria-hidden="true" viewBox="0 0 100 100">
        <path className={styles.a} d="M0 0H47V47H0Z" />
        <path className={styles.b} d="M53 0H100A47 47 0 0 1 53 47Z" />
        <path className={styles.c} d="M47 100H0A47 47 0 0 1 47 53Z" />
        <circle className={styles.d} cx="76.5" cy="76.5" r="23.5" />
      </svg>
      <span>{ORGANISATION}</span>
    </Link>
  );
}
