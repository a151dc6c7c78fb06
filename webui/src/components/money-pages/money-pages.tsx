import { Link } from "react-router-dom";
import styles from "./money-pages.module.css";
import texts from "@/messages/en/money-pages.json";
import { paths } from "@/lib/page/paths";
import { translator } from "@/lib/text/messages";

const t = translator(texts);
const PAGES = ["donations", "projects", "grants", "impact", "ledger"] as const;

/** What a page of payments adds to the others, and the way to them. */
export function MoneyPages({ here }: { readonly here: (typeof PAGES)[number] }) {
  return (
    <p className={`muted ${styles.pages}`}>
      {t(here)} {t("same")}{" "}
      {PAGES.filter((page) => page !== here).map((page, place) => (
        <span key={page}>
          {place === 0 ? "" : " · "}
          <Link className="link" to={paths[page]}>
            {t(`to.${page}`)}
          </Link>
        </span>
      ))}
    </p>
  );
}
