import type { ImpactReport, VoteCounts } from "@/api/schema";

/** The impact report of a month. */
export function anImpactReport(changes: Partial<ImpactReport> = {}): ImpactReport {
  return {
    organisation: "Jara Foundation",
    isOver: true,
    period: { from: "2026-10-01", to: "2026-10-31" },
    archive: [
      { from: "2025-01-01", to: "2025-12-31" },
      { from: "2026-10-01", to: "2026-10-31" },
    ],
    books: { size: 4182, root: "b1946ac9", at: "2026-10-31T21:14:00Z" },
    changemakers: 61,
    pledgedMonthlyCents: 70_100,
    keptCents: 81_600,
    contributions: 61,
    gifts: 5,
    givers: 66,
    cashDeployedCents: 2_882_000,
    receivedCents: { pledges: 70_100, gifts: 12_500, grants: 0, other: 0, total: 82_600 },
    refundsCents: 1_000,
    feesCents: 4_310,
    funds: [
      {
        fund: "projects",
        receivedCents: 66_080,
        spentCents: 157_300,
        feesCents: 0,
        heldCents: 0,
        promisedShare: 80,
        actualShare: 80,
      },
      {
        fund: "committed",
        receivedCents: 0,
        spentCents: 0,
        feesCents: 0,
        heldCents: 0,
        promisedShare: 0,
        actualShare: 0,
      },
    ],
    driftNote: "",
    months: [
      { month: "2026-09", pledgesCents: 64_000, giftsCents: 0, refundsCents: 0 },
      { month: "2026-10", pledgesCents: 70_100, giftsCents: 12_500, refundsCents: 0 },
    ],
    spent: [],
    disbursements: [
      {
        date: "2026-10-06",
        project: "reef",
        title: "Reef nursery frames",
        account: "expenses:projects:reef",
        proposal: "reef",
        cents: 145_700,
      },
    ],
    disbursedCents: 145_700,
    cashAtHandCents: 321_400,
    proposals: [
      {
        id: "reef",
        slug: "reef",
        title: "Boat repair",
        status: "passed",
        endDate: "2026-10-01",
        goalCents: 145_700,
        tally: { ...aTally({ yes: 38, no: 7, roll: 58 }), turnoutPercentage: 77.5 },
        heldCents: 0,
        queuedCents: 0,
        paidCents: 145_700,
        releasedCents: 0,
        payouts: [],
      },
    ],
    projects: [
      {
        slug: "boreholes",
        title: "Boreholes",
        status: "In Progress",
        milestones: { done: 4, total: 5 },
        paidCents: 809_000,
        paidInPeriodCents: 0,
        results: [],
      },
    ],
    lateEntries: [],
    ...changes,
  };
}

/** The counts of a vote that half of the roll must win. */
export function aTally(counts: Partial<VoteCounts>): VoteCounts {
  return {
    yes: 0,
    no: 0,
    void: 0,
    roll: 0,
    notVoted: 0,
    needed: 0,
    upvotePercentage: 0,
    downvotePercentage: 0,
    rule: { num: 1, den: 2, of: "roll" },
    passes: false,
    final: false,
    ...counts,
  };
}
