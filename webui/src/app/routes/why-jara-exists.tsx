import { PillarsSection, SolutionSection, WhySection } from "@/features/about/about-sections";
import { InvolvedSection, LastSection } from "@/features/about/involved-section";
import { RoadmapSection } from "@/features/about/roadmap-section";
import { SamplesSection } from "@/features/about/samples-section";
import { TodaySection } from "@/features/about/today-section";
import aboutTexts from "@/messages/en/about.json";
import { useSiteConfig } from "@/lib/models/config";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";
import { useResource } from "@/lib/api/resource";
import { useErrorNotice } from "@/lib/api/use-error-notice";

const t = translator(aboutTexts);

export function AboutPage() {
  const stats = useResource("/stats");
  useErrorNotice(stats.error);
  const config = useSiteConfig().data;
  return (
    <>
      <PageMeta description={t("meta.text")} title={t("meta.title")} />
      <WhySection />
      <SolutionSection />
      <PillarsSection />
      <SamplesSection />
      <div style={{ paddingTop: "var(--section)" }}>
        <TodaySection stats={stats} />
      </div>
      <RoadmapSection stats={stats.data} />
      <InvolvedSection config={config} />
      <LastSection config={config} />
    </>
  );
}
