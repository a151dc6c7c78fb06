import { CodePage, textsOf } from "@/components/code-page/code-page";
import newsletterTexts from "@/messages/en/newsletter.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(newsletterTexts);

export function NewsletterUnsubscribePage() {
  return (
    <>
      <PageMeta description={t("meta.text")} index={false} title={t("meta.unsubscribe")} />
      <CodePage call="POST /newsletter/unsubscribe" texts={textsOf(t, "unsubscribe")} />
    </>
  );
}
