import { FaqView } from "@/features/about/faq-page";
import faqTexts from "@/messages/en/faqs.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(faqTexts);

export function FaqsPage() {
  return (
    <>
      <PageMeta description={t("meta.text")} title={t("meta.title")} />
      <FaqView />
    </>
  );
}
