import { lazy } from "react";
import { DashboardTab } from "@/features/dashboard/dashboard-tab";
import { EventsTab } from "@/features/dashboard/events-tab";
import { MemberArea } from "@/features/dashboard/member-area";
import { PledgeCard } from "@/features/pledge/pledge-card";
import { PledgeState } from "@/features/pledge/pledge-state";
import { OwnVotes } from "@/features/voting/own-votes";
import membershipTexts from "@/messages/en/membership.json";
import { PageMeta } from "@/lib/page/page-meta";
import { translator } from "@/lib/text/messages";

const t = translator(membershipTexts);
const AccountPanel = lazy(async () => ({ default: (await import("../account-tab")).AccountPanel }));

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
