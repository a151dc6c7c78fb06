import { LedgerView } from "@/features/ledger/ledger-view";
import { BelowVotes } from "@/features/voting/votes-above";
import ledgerTexts from "@/messages/en/ledger.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(ledgerTexts);

export function LedgerPage() {
  return (
    <>
      <PageMeta description={t("meta.text")} title={t("meta.title")} />
      <BelowVotes>
        <LedgerView />
      </BelowVotes>
    </>
  );
}
