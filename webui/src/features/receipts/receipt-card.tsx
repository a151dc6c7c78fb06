import { Button } from "@/components/button/button";
import receiptTexts from "@/messages/en/receipts.json";
import { translator } from "@/lib/text/messages";
import type { Receipt } from "@/api/schema";
import { saveFile } from "@/lib/ui/save-file";
import { useToday } from "@/lib/ui/use-today";
import { fateText } from "./fate-text";
import styles from "./receipt-card.module.css";

const t = translator(receiptTexts);

/** The voter's receipt: the ballot's tracker, what is promised, and the file. */
export function ReceiptCard({ receipt }: { readonly receipt: Receipt }) {
  const today = useToday();
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
      {today <= new Date(receipt.listedBy) ? (
        <p>{fateText("promised", receipt, today)}</p>
      ) : null}
      <p className="xs muted">{t("card.text")}</p>
      <Button block kind="line" onClick={save} size="sm">
        {t("card.download")}
      </Button>
    </section>
  );
}
