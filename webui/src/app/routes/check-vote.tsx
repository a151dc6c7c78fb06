import { CheckView } from "@/features/receipts/check-view";
import receiptTexts from "@/messages/en/receipts.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(receiptTexts);

export function CheckVotePage() {
  return (
    <>
      <PageMeta description={t("meta.text")} title={t("meta.title")} />
      <CheckView />
    </>
  );
}
