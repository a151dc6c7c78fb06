import { Suspense } from "react";
import { HomeHero } from "@/features/story/home-hero";
import { lazyWhenIdle } from "@/lib/lazy-when-idle";
import { useResource } from "@/lib/resource";
import { siteStats } from "@/lib/stats";
import { useErrorNotice } from "@/lib/use-error-notice";

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
  useErrorNotice(stats.error);
  return (
    <>
      <HomeHero stats={stats} />
      {REST}
    </>
  );
}
