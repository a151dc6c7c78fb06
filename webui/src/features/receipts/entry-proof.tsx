import { useState } from "react";
import { Link } from "react-router-dom";
import type { EntryProof as Proof } from "@/api/schema";
import { Button } from "@/components/button/button";
import { Icon } from "@/components/icon/icon";
import type { LineCheck } from "./check-line";
import { paths } from "@/lib/page/paths";
import { formatNumber } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { classNames } from "@/lib/ui/class-names";
import { useWhenOnline } from "@/lib/ui/use-when-online";
import entryTexts from "@/messages/en/entry.json";
import styles from "./entry-proof.module.css";

const t = translator(entryTexts);

/** Where the entry stands in the public log, and a check of it in this browser. */
export function EntryProof({ proof }: { readonly proof: Proof }) {
  const [busy, setBusy] = useState(false);
  const [check, setCheck] = useState<LineCheck | null>(null);
  const run = async () => {
    setBusy(true);
    try {
      setCheck(await (await import("./check-line")).checkLine(proof));
    } catch {
      // The part of the site that checks did not load.
      setCheck({ outcome: "unreached", size: 0 });
    } finally {
      setBusy(false);
    }
  };
  useWhenOnline(check?.outcome === "unreached" ? () => void run() : null);
  return (
    <section aria-labelledby="proof" className={classNames("field-palm on-dark", styles.proof)}>
      <div>
        <h2 id="proof">{t("proof")}</h2>
        <p className={styles.line}>{t("proof.line", { index: formatNumber(proof.index) })}</p>
        <p className="muted">{t("proof.text")}</p>
      </div>
      <div>
        <p className="sm muted">{t("proof.print")}</p>
        <p className={styles.print}>{proof.leaf}</p>
        <Button busy={busy ? t("proof.busy") : false} kind="accent" onClick={() => void run()}>
          {t("proof.check")}
        </Button>
        <p aria-live="polite" className={styles.outcome}>
          {check === null ? null : (
            <>
              <Icon name={check.outcome === "ok" ? "check" : "warning"} />
              {t(`proof.${check.outcome}`, { size: check.size })}
            </>
          )}
        </p>
        <p>
          <Link className="link" to={paths.checkVote}>
            {t("proof.receipts")}
          </Link>
        </p>
      </div>
    </section>
  );
}
