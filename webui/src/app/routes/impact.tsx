import { ImpactView } from "@/features/impact/impact-view";
import impactTexts from "@/messages/en/impact.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(impactTexts);

export function ImpactPage() {
  return (
    <>
      <PageMeta description={t("meta.text")} title={t("meta.title")} />
      <ImpactView />
    </>
  );
}
