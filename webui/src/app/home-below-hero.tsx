import { ProjectStrip } from "@/features/catalogue/project-strip";
import { TeamStrip } from "@/features/catalogue/team-list";
import { HomeFaq } from "@/features/home/home-faq";
import { HowItWorks } from "@/features/home/how-it-works";
import { OpenLedger } from "@/features/home/open-ledger";
import { useSiteConfig } from "@/lib/models/config";
import { useResource } from "@/lib/api/resource";
import { siteStats } from "@/lib/models/stats";

/** The home page below its hero. */
export function HomeBelowHero() {
  const stats = useResource(siteStats);
  const { data: config, status } = useSiteConfig();
  return (
    <>
      <HowItWorks config={config} />
      <ProjectStrip />
      <TeamStrip />
      <OpenLedger config={config} hasSplit={status !== "error"} stats={stats} />
      <HomeFaq contact={config?.contactEmail ?? null} />
    </>
  );
}
