import { Suspense, useEffect } from "react";
import { HomeHero } from "@/features/story/home-hero";
import homeTexts from "@/messages/en/home.json";
import { lazyWhenIdle } from "@/lib/lazy-when-idle";
import { translator } from "@/lib/messages";
import { notify } from "@/lib/notify";
import { useResource } from "@/lib/resource";
import { siteStats } from "@/lib/stats";

const t = translator(homeTexts);
const HomeRest = lazyWhenIdle(async () => (await import("./home-rest")).HomeRest);
// The same element every time: an update would make React draw anew what the build has drawn.
const REST = (
  <Suspense fallback={null}>
    <HomeRest />
  </Suspense>
);

/** The home page without its title: the share dialog opens above the same sections. */
export function HomeSections() {
  const stats = useResource(siteStats);
  const failed = stats.status === "error";
  useEffect(() => {
    if (failed) notify.error(t("stats.failed"), "stats");
  }, [failed]);
  return (
    <>
      <HomeHero stats={stats} />
      {REST}
    </>
  );
}
