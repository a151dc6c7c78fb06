import type { Profile, ProjectPage, User } from "@/api/schema";
import type { Proposal } from "@/features/voting/api";
import { aProject } from "@/testing/builders";
import { aTally } from "@/testing/reports";
import { aProfile } from "@/testing/member";

/** A proposal with an open vote. */
export function aProposal(changes: Partial<Proposal> = {}): Proposal {
  return {
    _id: "bees",
    id: "bees",
    slug: "beekeeping-kits",
    title: "Beekeeping kits",
    summary: "Hives for twenty-four families.",
    fundingGoal: 3600,
    fundingGoalCents: 360_000,
    country: "Zambia",
    countryCode: "ZM",
    category: "agriculture",
    endDate: "2999-11-30",
    status: "open",
    upvotePercentage: 32.3,
    downvotePercentage: 5.8,
    votes: 13,
    submitters: [
      { name: "Chanda Mulenga", linkedinUrl: "https://linkedin.example/in/chanda", image: null },
      { name: null, linkedinUrl: "https://linkedin.example/in/other", image: null },
    ],
    storySections: "<p>Maize has fed the valley.</p>",
    implementation: "<h3>Month one</h3><p>Hives are built.</p>",
    budgetList: [
      { description: "Hives", amount: 3000, amountCents: 300_000 },
      { description: "Training", amount: 600, amountCents: 60_000 },
    ],
    metrics: "Litres of honey sold.",
    measures: [],
    tally: aTally({ yes: 11, no: 2, roll: 34, notVoted: 21, needed: 6 }),
    openedAt: "2026-11-01T09:00:00Z",
    decidedAt: null,
    result: null,
    withdrawal: null,
    corrections: [],
    project: null,
    sample: false,
    language: "en",
    ...changes,
  };
}

/** A proposal that passed and was partly paid. */
export function aPassedProposal(changes: Partial<Proposal> = {}): Proposal {
  return aProposal({
    id: "lights",
    slug: "light-for-the-road",
    title: "Light for the road",
    endDate: "2026-05-15",
    status: "funded",
    upvotePercentage: 63.6,
    downvotePercentage: 9,
    votes: 16,
    tally: aTally({ yes: 14, no: 2, roll: 22, notVoted: 6, needed: 0 }),
    openedAt: "2026-04-15T09:00:00Z",
    decidedAt: "2026-05-16T01:00:00Z",
    result: "passed",
    project: "street-lights",
    ...changes,
  });
}

/** The project that a passed proposal funds. */
export function aFundedProject(): ProjectPage {
  const payout = { milestone: null, entry: "e", index: 0, proposal: "light-for-the-road" };
  return aProject({
    commitment: {
      goalCents: 360_000,
      heldCents: 200_000,
      queuedCents: 0,
      releasedCents: 0,
      releases: [],
      paidCents: 160_000,
    },
    payouts: [
      { ...payout, date: "2026-06-20", cents: 160_000 },
      { ...payout, date: "2026-07-20", proposal: "another", cents: 99_000 },
    ],
  });
}

/** The signed-in member. */
export function aMember(changes: Partial<User> = {}): Profile {
  return aProfile({
    id: "ama",
    firstname: "Ama",
    lastname: "Mensah",
    email: "ama@example.org",
    subscriptionAmount: 20,
    nextChargeOn: "2026-12-02",
    nextCharges: [],
    dueCents: null,
    retriesOn: [],
    mayVoteFrom: "2024-11-02",
    memberSince: "2024-11-02",
    notifications: true,
    todo: [],
    ...changes,
  });
}

/** A token with the member as subject. */
export const MEMBER_TOKEN = `h.${btoa(JSON.stringify({ sub: "ama" }))}.s`;
