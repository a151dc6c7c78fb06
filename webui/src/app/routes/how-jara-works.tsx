import { HowCounted } from "@/features/about/how-counted";
import { HowSteps } from "@/features/about/how-steps";
import howTexts from "@/messages/en/how.json";
import { useSiteConfig } from "@/lib/models/config";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(howTexts);

export function HowPage() {
  const config = useSiteConfig().data;
  return (
    <>
      <PageMeta description={t("meta.text")} title={t("meta.title")} />
      <div className="wrap page-head">
        <h1 className="d1">{t("title")}</h1>
        <p className="lead">{t("lead")}</p>
      </div>
      <HowSteps config={config} />
      <HowCounted config={config} />
    </>
  );
}
