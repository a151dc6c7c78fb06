import { Suspense } from "react";
import { HomeHero } from "@/features/home/home-hero";
import { lazyWhenIdle } from "@/lib/page/lazy-when-idle";
import { useResource } from "@/lib/api/resource";
import { siteStats } from "@/lib/models/stats";
import { useErrorNotice } from "@/lib/api/use-error-notice";

const HomeBelowHero = lazyWhenIdle(async () => (await import("./home-below-hero")).HomeBelowHero);
// The same element every time: an update would make React draw anew what the build has drawn.
const REST = (
  <Suspense fallback={null}>
    <HomeBelowHero />
  </Suspense>
);

/** The home page without its title: the share dialog opens above the same sections. */
export function HomeSections() {
  const stats = useResource(siteStats);
  useErrorNotice(stats.error);
  return (
    <>
      <HomeHero stats={stats} />
      {REST}
    </>
  );
}
