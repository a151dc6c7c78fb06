import { Cloth } from "@/components/cloth/cloth";
import { useSiteConfig } from "@/lib/models/config";
import { formatNumber, formatWholeDollars } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import texts from "@/messages/en/first-squares.json";
import styles from "./first-squares.module.css";

const t = translator(texts);
const MONTHS = 12;
const CLOTHS = [
  { count: 10, columns: 10, rows: 1 },
  { count: 100, columns: 10, rows: 10 },
  { count: 1000, columns: 25, rows: 40 },
];

/** What cloths of several sizes could pay, for an organisation that has funded nothing yet. */
export function FirstSquares() {
  const config = useSiteConfig().data;
  if (config === null) return null;
  const pledgeCents = config.limits.pledgeDollarsDefault * 100;
  const percent = config.fundPolicy.weights.projects;
  return (
    <section aria-labelledby="first-squares" className="wrap section">
      <h2 className={styles.title} id="first-squares">{t("title")}</h2>
      <p className="lead">
        {t("lead", { pledge: formatWholeDollars(pledgeCents), percent: formatNumber(percent) })}
      </p>
      <ul className={styles.squares}>
        {CLOTHS.map(({ count, columns, rows }) => {
          const monthCents = (count * pledgeCents * percent) / 100;
          return (
            <li key={count}>
              <Cloth columns={columns} fringe={20} id={`first-${count}`} rows={rows} woven={count} />
              <p className={styles.count}>{t("squares", { count })}</p>
              <p className={`num ${styles.month}`}>
                {t("month", { amount: formatWholeDollars(monthCents) })}
              </p>
              <p className="muted">{t("year", { amount: formatWholeDollars(monthCents * MONTHS) })}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
