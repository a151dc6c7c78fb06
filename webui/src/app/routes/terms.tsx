import { LegalText } from "@/features/legal/legal-text";
import legalTexts from "@/messages/en/legal.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(legalTexts);

export function TermsPage() {
  return (
    <>
      <PageMeta description={t("terms.text")} title={t("terms")} />
      <LegalText name="terms" />
    </>
  );
}
