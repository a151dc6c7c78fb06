import { CodePage, textsOf } from "@/components/code-page/code-page";
import { confirmAddress } from "@/features/session/api";
import sessionTexts from "@/messages/en/session.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(sessionTexts);

export function ConfirmAddressPage() {
  return (
    <>
      <PageMeta description={t("meta.code-text")} index={false} title={t("meta.address")} />
      <CodePage send={confirmAddress} texts={textsOf(t, "address")} />
    </>
  );
}
