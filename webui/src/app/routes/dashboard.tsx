import { lazyPart } from "@/components/lazy-part/lazy-part";
import { DashboardTab } from "@/features/dashboard/dashboard-tab";
import { MemberArea } from "@/features/dashboard/member-area";
import { MemberSkeleton } from "@/features/dashboard/member-skeleton";
import { PledgeCard } from "@/features/pledge/pledge-card";
import { PledgeState } from "@/features/pledge/pledge-state";
import { OpenVoteList, useOpenVotes } from "@/features/voting/vote-strip";
import { KnownVoteStrip } from "@/features/voting/votes-above";
import { useResource } from "@/lib/api/resource";
import membershipTexts from "@/messages/en/membership.json";
import { PageMeta } from "@/lib/page/page-meta";
import { translator } from "@/lib/text/messages";

const t = translator(membershipTexts);
const AccountPanel = lazyPart(
  async () => (await import("../account-tab")).AccountPanel,
  <MemberSkeleton />,
);
const EventsTab = lazyPart(
  async () => (await import("@/features/dashboard/events-tab")).EventsTab,
  <MemberSkeleton />,
);
const GivenLine = lazyPart(async () => (await import("@/features/tracing/given-line")).GivenLine);
const OwnVotes = lazyPart(async () => (await import("@/features/voting/own-votes")).OwnVotes);

export function DashboardPage() {
  const { status } = useResource("/user/get-proposals#open");
  const count = useOpenVotes().length;
  const open = status === "ready" ? count : null;
  return (
    <>
      <PageMeta description={t("meta.text")} index={false} title={t("meta.title")} />
      <MemberArea
        openVotes={open}
        strip={<KnownVoteStrip />}
        waits={status === "loading"}
        panels={{
          dashboard: (
            <DashboardTab
              given={<GivenLine openVotes={open} />}
              pledgeCard={<PledgeCard />}
              pledgeState={<PledgeState />}
              votes={<OwnVotes />}
            />
          ),
          account: <AccountPanel />,
          events: <EventsTab votes={open === 0 ? null : open === null ? <KnownVoteStrip /> : <OpenVoteList />} />,
        }}
      />
    </>
  );
}
