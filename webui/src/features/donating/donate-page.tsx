import { ClothPiece } from "@/components/tile/tile";
import donatingTexts from "@/messages/en/donating.json";
import { translator } from "@/lib/text/messages";
import { GiftForm } from "./gift-form";
import styles from "./gift-form.module.css";

const t = translator(donatingTexts);

/** The page for one-time gifts. */
export function DonateView() {
  return (
    <div className={styles.page}>
      <div className={`field-hero ${styles.side}`}>
        <div className={styles.words}>
          <h1>{t("title")}</h1>
          <p className="lead">{t("lead")}</p>
        </div>
        <div className={styles.art}>
          <ClothPiece columns={10} rows={4} />
        </div>
      </div>
      <div className={styles.body}>
        <GiftForm />
      </div>
    </div>
  );
}
