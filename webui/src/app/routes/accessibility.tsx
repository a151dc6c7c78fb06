import { AccessibilityStatement } from "@/features/accessibility/statement";
import accessibilityTexts from "@/messages/en/accessibility.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(accessibilityTexts);

export function AccessibilityPage() {
  return (
    <>
      <PageMeta description={t("text")} title={t("title")} />
      <AccessibilityStatement />
    </>
  );
}
