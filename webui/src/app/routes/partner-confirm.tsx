import { CodePage, textsOf } from "@/components/code-page/code-page";
import sessionTexts from "@/messages/en/session.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(sessionTexts);

export function PartnerConfirmPage() {
  return (
    <>
      <PageMeta description={t("partner.text")} index={false} title={t("meta.address")} />
      <CodePage call="POST /partners/confirm" texts={textsOf(t, "partner")} />
    </>
  );
}
