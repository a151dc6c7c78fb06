import { HowCounted } from "@/features/about/how-counted";
import { HowSteps } from "@/features/about/how-steps";
import { LoadFailure } from "@/components/resource-view/resource-view";
import howTexts from "@/messages/en/how.json";
import { useSiteConfig } from "@/lib/models/config";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(howTexts);

export function HowPage() {
  const state = useSiteConfig();
  const config = state.data;
  return (
    <>
      <PageMeta description={t("meta.text")} title={t("meta.title")} />
      <div className="wrap page-head">
        <h1 className="d1">{t("title")}</h1>
        <p className="lead">{t("lead")}</p>
      </div>
      <LoadFailure state={state} what={t("failed")} />
      <HowSteps config={config} />
      <HowCounted config={config} />
    </>
  );
}
