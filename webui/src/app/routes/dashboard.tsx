import { lazyPart } from "@/components/lazy-part/lazy-part";
import { DashboardTab } from "@/features/dashboard/dashboard-tab";
import { EventsTab } from "@/features/dashboard/events-tab";
import { MemberArea } from "@/features/dashboard/member-area";
import { MemberSkeleton } from "@/features/dashboard/member-skeleton";
import { PledgeCard } from "@/features/pledge/pledge-card";
import { PledgeState } from "@/features/pledge/pledge-state";
import membershipTexts from "@/messages/en/membership.json";
import { PageMeta } from "@/lib/page/page-meta";
import { translator } from "@/lib/text/messages";

const t = translator(membershipTexts);
const AccountPanel = lazyPart(
  async () => (await import("../account-tab")).AccountPanel,
  <MemberSkeleton />,
);
const OwnVotes = lazyPart(async () => (await import("@/features/voting/own-votes")).OwnVotes);

export function DashboardPage() {
  return (
    <>
      <PageMeta description={t("meta.text")} index={false} title={t("meta.title")} />
      <MemberArea
        panels={{
          dashboard: (
            <DashboardTab
              pledgeCard={<PledgeCard />}
              pledgeState={<PledgeState />}
              votes={<OwnVotes />}
            />
          ),
          account: <AccountPanel />,
          events: <EventsTab />,
        }}
      />
    </>
  );
}
