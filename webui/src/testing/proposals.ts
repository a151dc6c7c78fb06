type Changes = Readonly<Record<string, unknown>>;

/** A proposal with an open vote. */
export function aProposal(changes: Changes = {}) {
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
    tally: tally({ yes: 11, no: 2, roll: 34, notVoted: 21, needed: 6 }),
    openedAt: "2026-11-01T09:00:00Z",
    decidedAt: null,
    result: null,
    project: null,
    sample: false,
    ...changes,
  };
}

/** A proposal that passed and was partly paid. */
export function aPassedProposal(changes: Changes = {}) {
  return aProposal({
    id: "lights",
    slug: "light-for-the-road",
    title: "Light for the road",
    endDate: "2026-05-15",
    status: "funded",
    upvotePercentage: 63.6,
    downvotePercentage: 9,
    votes: 16,
    tally: tally({ yes: 14, no: 2, roll: 22, notVoted: 6, needed: 0 }),
    openedAt: "2026-04-15T09:00:00Z",
    decidedAt: "2026-05-16T01:00:00Z",
    result: "passed",
    project: "street-lights",
    ...changes,
  });
}

/** The money on the page of the project that a passed proposal funds. */
export function aMoneyReport() {
  return {
    commitment: { heldCents: 200_000, queuedCents: 0, releasedCents: 0, paidCents: 160_000 },
    payouts: [
      { date: "2026-06-20", proposal: "light-for-the-road", cents: 160_000 },
      { date: "2026-07-20", proposal: "another", cents: 99_000 },
    ],
  };
}

/** The signed-in member. */
export function aMember(changes: Changes = {}) {
  return {
    success: true,
    user: {
      id: "ama",
      firstname: "Ama",
      lastname: "Mensah",
      email: "ama@example.org",
      country: "Canada",
      subscriptionAmount: 20,
      billingDay: "current",
      pledgeStatus: "active",
      nextChargeOn: "2026-12-02",
      skipsOn: null,
      mayVote: true,
      mayVoteFrom: "2024-11-02",
      memberSince: "2024-11-02",
      notifications: true,
      votes: {},
      todo: [],
      ...changes,
    },
  };
}

/** A token with the member as subject. */
export const MEMBER_TOKEN = `h.${btoa(JSON.stringify({ sub: "ama" }))}.s`;

function tally(counts: Changes) {
  return { void: 0, rule: { num: 1, den: 2, of: "roll" }, passes: false, final: false, ...counts };
}
