import { Link } from "react-router-dom";
import { Band } from "@/components/band/band";
import { ButtonLink } from "@/components/button/button";
import ledgerTexts from "@/messages/en/ledger.json";
import { classNames } from "@/lib/ui/class-names";
import { pledgeLimits } from "@/lib/payments/pledge-amount";
import { rich, translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { useHydrated } from "@/lib/page/use-hydrated";
import styles from "./ledger-gate.module.css";

const t = translator(ledgerTexts);

const BEHIND = ["transactions", "rows", "split", "months", "export"] as const;

/** Shown to visitors instead of contributors' data: what it is, and a sign-in link. */
export function LedgerGate() {
  return (
    <div className={classNames(styles.gate, useHydrated() ? null : "for-visitors")}>
      <section aria-label={t("gate.label")} className={styles.card}>
        <Band thin />
        <div>
          <p className={styles.text}>{t("gate.text")}</p>
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
