import { PillarsSection, SolutionSection, WhySection } from "@/features/story/about-sections";
import { InvolvedSection, LastSection } from "@/features/story/involved-section";
import { RoadmapSection } from "@/features/story/roadmap-section";
import { TodaySection } from "@/features/story/today-section";
import aboutTexts from "@/messages/en/about.json";
import { useSiteConfig } from "@/lib/config";
import { translator } from "@/lib/messages";
import { PageMeta } from "@/lib/page-meta";
import { useResource } from "@/lib/resource";
import { siteStats } from "@/lib/stats";
import { useErrorNotice } from "@/lib/use-error-notice";

const t = translator(aboutTexts);

export function AboutPage() {
  const stats = useResource(siteStats);
  useErrorNotice(stats.error);
  const config = useSiteConfig().data;
  return (
    <>
      <PageMeta description={t("meta.text")} title={t("meta.title")} />
      <WhySection />
      <SolutionSection />
      <PillarsSection />
      <div style={{ paddingTop: "var(--section)" }}>
        <TodaySection stats={stats} />
      </div>
      <RoadmapSection stats={stats.data} />
      <InvolvedSection config={config} />
      <LastSection config={config} />
    </>
  );
}
