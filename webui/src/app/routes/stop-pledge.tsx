import { CodePage, textsOf } from "@/components/code-page/code-page";
import sessionTexts from "@/messages/en/session.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(sessionTexts);

export function StopPledgePage() {
  return (
    <>
      <PageMeta description={t("meta.code-text")} index={false} title={t("meta.stop")} />
      <CodePage call="POST /stop-pledge" texts={textsOf(t, "stop")} />
    </>
  );
}
