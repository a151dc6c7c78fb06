import { Button } from "@/components/button/button";
import receiptTexts from "@/messages/en/receipts.json";
import { translator } from "@/lib/text/messages";
import type { Receipt } from "@/api/schema";
import { saveFile } from "@/lib/ui/save-file";
import styles from "./receipt-card.module.css";

const t = translator(receiptTexts);

/** The voter's receipt: the ballot's tracker and the file with the proof. */
export function ReceiptCard({ receipt }: { readonly receipt: Receipt }) {
  const save = () => {
    const file = new Blob([JSON.stringify(receipt, null, 2)], { type: "application/json" });
    saveFile(`jara-receipt-${receipt.tracker}.json`, file);
  };
  return (
    <section aria-label={t("card.title")} className={styles.card}>
      <p className={styles.line}>
        <span className="muted">{t("card.tracker")}</span>
        <b className={styles.tracker}>{receipt.tracker}</b>
      </p>
      <p className="xs muted">{t("card.text")}</p>
      <Button block kind="line" onClick={save} size="sm">
        {t("card.download")}
      </Button>
    </section>
  );
}
