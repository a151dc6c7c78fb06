import { lazy, Suspense } from "react";
import { FeaturedProject } from "@/features/catalogue/featured-project";
import { ProjectStrip } from "@/features/catalogue/project-strip";
import { TeamStrip } from "@/features/catalogue/team-list";
import { HomeFaq } from "@/features/home/home-faq";
import { HomeHero } from "@/features/home/home-hero";
import { HowItWorks } from "@/features/home/how-it-works";
import { useSharedSquare } from "@/features/home/shared-square";
import { OpenLedger } from "@/features/home/open-ledger";
import { FirstVoteStrip } from "@/features/voting/vote-strip";
import { useResource } from "@/lib/api/resource";
import { useErrorNotice } from "@/lib/api/use-error-notice";

// Few readers come by a shared square.
const SquareGreeting = lazy(async () => ({
  default: (await import("@/features/home/square-greeting")).SquareGreeting,
}));

// Each part is hydrated by itself, so that a slow phone answers in between. Constant elements:
// updating them during hydration would hydrate all of them at once.
const BELOW = (
  <>
    <Suspense>
      <FeaturedProject />
    </Suspense>
    <Suspense>
      <HowItWorks />
    </Suspense>
    <Suspense>
      <ProjectStrip />
    </Suspense>
    <Suspense>
      <TeamStrip />
    </Suspense>
    <Suspense>
      <OpenLedger />
    </Suspense>
    <Suspense>
      <HomeFaq />
    </Suspense>
  </>
);

/**
 * The home page without its title: the share dialog opens above the same sections.
 *
 * @param withVote whether the vote in progress, or a shared square, is shown; the server writes it
 *   into "/" only, and elsewhere everything below it would shift.
 */
export function HomeSections({ withVote = false }: { readonly withVote?: boolean }) {
  const stats = useResource("/stats");
  useErrorNotice(stats.error);
  return (
    <>
      {withVote ? <First /> : null}
      <HomeHero stats={stats} />
      {BELOW}
    </>
  );
}

function First() {
  const square = useSharedSquare();
  if (square === null) return <FirstVoteStrip />;
  return (
    <Suspense>
      <SquareGreeting square={square} />
    </Suspense>
  );
}
