import { CodePage, textsOf } from "@/components/code-page/code-page";
import codePageTexts from "@/messages/en/code-page.json";
import sessionTexts from "@/messages/en/session.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(codePageTexts);
const ofCodes = translator(sessionTexts);

export function AgreeAddressPage() {
  return (
    <>
      <PageMeta description={ofCodes("meta.code-text")} index={false} title={t("meta.agree")} />
      <CodePage call="POST /agree-address" texts={textsOf(t, "agree")} />
    </>
  );
}
