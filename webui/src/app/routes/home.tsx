import { Suspense, useEffect } from "react";
import { HomeHero } from "@/features/story/home-hero";
import homeTexts from "@/messages/en/home.json";
import pageTexts from "@/messages/en/pages.json";
import { lazyWhenIdle } from "@/lib/lazy-when-idle";
import { translator } from "@/lib/messages";
import { notify } from "@/lib/notify";
import { PageMeta } from "@/lib/page-meta";
import { useResource } from "@/lib/resource";
import { siteStats } from "@/lib/stats";

const t = translator(homeTexts);
const pages = translator(pageTexts);
const HomeRest = lazyWhenIdle(async () => (await import("../home-rest")).HomeRest);

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
  const failed = stats.status === "error";
  useEffect(() => {
    if (failed) notify.error(pages("stats.failed"), "stats");
  }, [failed]);
  return (
    <>
      <HomeHero stats={stats} />
      <Suspense fallback={null}>
        <HomeRest stats={stats} />
      </Suspense>
    </>
  );
}
