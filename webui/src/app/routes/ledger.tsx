import { LedgerView } from "@/features/ledger/ledger-view";
import ledgerTexts from "@/messages/en/ledger.json";
import { translator } from "@/lib/messages";
import { PageMeta } from "@/lib/page-meta";

const t = translator(ledgerTexts);

export function LedgerPage() {
  return (
    <>
      <PageMeta description={t("meta.text")} title={t("meta.title")} />
      <LedgerView />
    </>
  );
}
