import { CodePage, textsOf } from "@/components/code-page/code-page";
import newsletterTexts from "@/messages/en/newsletter.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(newsletterTexts);

export function NewsletterConfirmPage() {
  return (
    <>
      <PageMeta description={t("meta.text")} index={false} title={t("meta.confirm")} />
      <CodePage call="POST /newsletter/confirm" texts={textsOf(t, "confirm")} />
    </>
  );
}
