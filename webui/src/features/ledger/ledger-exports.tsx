import { useState } from "react";
import { Button } from "@/components/button/button";
import ledgerTexts from "@/messages/en/ledger.json";
import { apiDownload } from "@/lib/api/api-client";
import { translator } from "@/lib/text/messages";
import { saveFile } from "@/lib/ui/save-file";
import { useFailureNotice } from "@/lib/ui/use-failure-notice";
import styles from "./ledger-view.module.css";

const t = translator(ledgerTexts);
const FORMATS = ["csv", "json", "journal", "beancount"] as const;
type Format = (typeof FORMATS)[number];

/** The whole ledger as a file, in four formats. */
export function LedgerExports() {
  const [busy, setBusy] = useState<Format | null>(null);
  const failure = useFailureNotice();
  const download = async (format: Format) => {
    setBusy(format);
    failure.dismiss();
    try {
      saveFile(`jara-ledger.${format}`, await apiDownload(`/ledger/export.${format}`));
    } catch (error) {
      failure.show(error);
    } finally {
      setBusy(null);
    }
  };
  return (
    <section aria-labelledby="exports" className={styles.part}>
      <h2 id="exports">{t("export.title")}</h2>
      <p className="muted">{t("export.text")}</p>
      <div className="row">
        {FORMATS.map((format) => (
          <Button
            busy={busy === format && t("export.busy")}
            disabled={busy !== null && busy !== format}
            key={format}
            kind="line"
            onClick={() => void download(format)}
            size="sm"
          >
            {t(`export.${format}`)}
          </Button>
        ))}
      </div>
    </section>
  );
}
