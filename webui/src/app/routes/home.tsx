import { useEffect } from "react";
import { ProjectStrip } from "@/features/catalogue/project-strip";
import { TeamStrip } from "@/features/catalogue/team-list";
import { HomeFaq } from "@/features/story/home-faq";
import { HomeHero } from "@/features/story/home-hero";
import { HowItWorks } from "@/features/story/how-it-works";
import { OpenLedger } from "@/features/story/open-ledger";
import homeTexts from "@/messages/en/home.json";
import pageTexts from "@/messages/en/pages.json";
import { useSiteConfig } from "@/lib/config";
import { translator } from "@/lib/messages";
import { notify } from "@/lib/notify";
import { PageMeta } from "@/lib/page-meta";
import { useResource } from "@/lib/resource";
import { siteStats } from "@/lib/stats";

const t = translator(homeTexts);
const pages = translator(pageTexts);

export function HomePage() {
  return (
    <>
      <PageMeta description={t("meta.text")} title={t("meta.title")} />
      <HomeSections />
    </>
  );
}

/** The home page without its title: the share dialog opens above the same sections. */
export function HomeSections() {
  const stats = useResource(siteStats);
  const config = useSiteConfig().data;
  const failed = stats.status === "error";
  useEffect(() => {
    if (failed) notify.error(pages("stats.failed"), "stats");
  }, [failed]);
  return (
    <>
      <HomeHero stats={stats} />
      <HowItWorks config={config} />
      <ProjectStrip />
      <TeamStrip />
      <OpenLedger config={config} stats={stats} />
      <HomeFaq contact={config?.contactEmail ?? null} />
    </>
  );
}
