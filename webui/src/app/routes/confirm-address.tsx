import { CodePage, textsOf } from "@/components/code-page/code-page";
import sessionTexts from "@/messages/en/session.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(sessionTexts);

export function ConfirmAddressPage() {
  return (
    <>
      <PageMeta description={t("meta.code-text")} index={false} title={t("meta.address")} />
      <CodePage call="POST /confirm-address" texts={textsOf(t, "address")} />
    </>
  );
}
