import { ProjectStrip } from "@/features/catalogue/project-strip";
import { TeamStrip } from "@/features/catalogue/team-list";
import { HomeFaq } from "@/features/story/home-faq";
import { HowItWorks } from "@/features/story/how-it-works";
import { OpenLedger } from "@/features/story/open-ledger";
import { useSiteConfig } from "@/lib/config";
import { useResource } from "@/lib/resource";
import { siteStats } from "@/lib/stats";

/** The home page below its hero. */
export function HomeRest() {
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
