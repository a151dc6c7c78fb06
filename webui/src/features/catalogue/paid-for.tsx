import { Link } from "react-router-dom";
import { writtenIn } from "@/lib/text/written";
import { paths } from "@/lib/page/paths";
import styles from "./paid-for.module.css";

type Paid<K extends string> = Readonly<Record<K, string>> & { readonly projectSlug: string | null };

/**
 * What a grant or a donation paid for, as a link to its project; to the list of all payments if it
 * paid for none.
 */
export function PaidFor<K extends string>({ item, name }: { readonly item: Paid<K>; readonly name: K }) {
  return (
    <Link
      className={styles.link}
      to={item.projectSlug === null ? paths.payouts : paths.project(item.projectSlug)}
      {...writtenIn(item, name)}
    >
      {item[name]}
    </Link>
  );
}
