import { useId } from "react";
import { Link } from "react-router-dom";
import { Band } from "@/components/band/band";
import { ButtonLink } from "@/components/button/button";
import ledgerTexts from "@/messages/en/ledger.json";
import { classNames } from "@/lib/ui/class-names";
import { pledgeLimits } from "@/lib/payments/pledge-limits";
import { rich, translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { useHydrated } from "@/lib/page/use-hydrated";
import styles from "./ledger-gate.module.css";

const t = translator(ledgerTexts);

const BEHIND = ["transactions", "rows", "export"] as const;
const ROWS = Array.from({ length: 7 }, (_, place) => place);

/**
 * Shown to visitors instead of contributors' data: an overlay over blurred rows, with what is
 * behind it and a sign-in link. The rows are drawn shapes: nothing of the data is in the page.
 */
export function LedgerGate() {
  const id = useId();
  return (
    <div className={classNames(styles.gate, useHydrated() ? null : "for-visitors")}>
      <div aria-hidden className={styles.blurred} inert>
        {ROWS.map((row) => (
          <div className={styles.row} key={row}>
            <i />
            <i />
            <i />
          </div>
        ))}
      </div>
      <section aria-labelledby={id} className={styles.card}>
        <Band thin />
        <div>
          <h2 className={styles.text} id={id}>
            {t("gate.text")}
          </h2>
          <p className={styles.behind}>{t("gate.behind")}</p>
          <ul className={styles.list}>
            {BEHIND.map((what) => (
              <li key={what}>{t(`behind.${what}`)}</li>
            ))}
          </ul>
          <ButtonLink block to={paths.login}>
            {t("gate.login")}
          </ButtonLink>
          <p className="xs muted">
            {rich(t("gate.join", pledgeLimits()), {
              join: (inner) => (
                <Link className="link" to={paths.join}>
                  {inner}
                </Link>
              ),
            })}
          </p>
        </div>
      </section>
    </div>
  );
}
