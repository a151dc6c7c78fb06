import { ImpactView } from "@/features/impact/impact-view";
import impactTexts from "@/messages/en/impact.json";
import { translator } from "@/lib/messages";
import { PageMeta } from "@/lib/page-meta";

const t = translator(impactTexts);

export function ImpactPage() {
  return (
    <>
      <PageMeta description={t("meta.text")} title={t("meta.title")} />
      <ImpactView />
    </>
  );
}
