// Invented figures for the development server. None of them reach the built site.
const MONTHS = [310, 345, 372, 410, 402, 468, 505, 540, 598, 640, 701, 742];

export function inventedImpact() {
  const archive = ["2025", "2024"].map((year) => ({ from: `${year}-01-01`, to: `${year}-12-31` }));
  for (let month = 10; month >= 1; month -= 1) {
    const name = `2026-${String(month).padStart(2, "0")}`;
    archive.push({ from: `${name}-01`, to: `${name}-28` });
  }
  return {
    organisation: "Jara Foundation",
    period: { from: "2026-10-01", to: "2026-10-28" },
    books: {
      size: 4182,
      root: "b1946ac92492d2347c6235b4d2611184b1946ac92492d2347c6235b4d2611184",
      at: "2026-10-31T21:14:00Z",
    },
    changemakers: 61,
    pledgedMonthlyCents: 70_100,
    receivedCents: { pledges: 70_100, gifts: 12_500, grants: 0, other: 0, total: 82_600 },
    refundsCents: 1_000,
    keptCents: 81_600,
    feesCents: 4_310,
    funds: [
      fund("projects", 80, 66_080, 157_300, 80),
      fund("staff", 7, 5_782, 2_600, 7),
      fund("marketing", 9, 7_434, 1_200, 9),
      fund("other", 4, 3_304, 3_200, 4),
    ],
    driftNote: "",
    isOver: true,
    months: MONTHS.map((dollars, index) => ({
      month:
        index === 0
          ? "2025-11"
          : index === 1
            ? "2025-12"
            : `2026-${String(index - 1).padStart(2, "0")}`,
      pledgesCents: dollars * 100,
      giftsCents: 0,
      refundsCents: 0,
    })),
    spent: [],
    disbursements: [
      {
        date: "2026-10-06",
        project: "boat-repair-and-reef-nursery",
        title: "Reef nursery frames",
        account: "expenses:projects:boat-repair-and-reef-nursery",
        cents: 145_700,
        proposal: "reef",
      },
      {
        date: "2026-10-20",
        project: "terrace-repair",
        title: "Seedlings, second delivery",
        account: "expenses:grants:terrace-repair",
        cents: 11_600,
      },
    ],
    disbursedCents: 157_300,
    cashAtHandCents: 321_400,
    cashDeployedCents: 2_882_000,
    proposals: [
      {
        id: "reef",
        slug: "boat-repair-and-reef-nursery",
        title: "Boat repair and reef nursery",
        status: "funded",
        endDate: "2026-10-01",
        tally: { yes: 38, no: 7, roll: 58 },
      },
      {
        id: "bees",
        slug: "beekeeping-kits-for-24-farming-families",
        title: "Beekeeping kits for 24 farming families",
        status: "open",
        endDate: "2026-11-30",
        tally: null,
      },
    ],
    projects: [
      {
        slug: "clean-water-boreholes",
        title: "Clean water boreholes",
        status: "In Progress",
        milestones: { done: 4, total: 5 },
        paidCents: 809_000,
      },
      {
        slug: "solar-street-lights-for-makoko-road",
        title: "Solar street lights for Makoko Road",
        status: "Complete",
        milestones: { done: 2, total: 2 },
        paidCents: 360_000,
      },
    ],
    lateEntries: [],
    archive,
  };
}

export function inventedProposals(proposals) {
  const documents = proposals.map((proposal) => ({
    ...proposal,
    _id: proposal.id,
    endDate: "2026-11-30",
    fundingGoal: proposal.fundingGoalCents / 100,
    budgetList: proposal.budgetList.map(({ description, amountCents }) => ({
      description,
      amount: amountCents / 100,
      amountCents,
    })),
    upvotePercentage: 31.2,
    downvotePercentage: 9.3,
    votes: 26,
    tally: {
      yes: 20,
      no: 6,
      void: 0,
      roll: 64,
      notVoted: 38,
      needed: 12,
      upvotePercentage: 31.2,
      downvotePercentage: 9.3,
      rule: { num: 1, den: 2, of: "roll" },
      passes: false,
      final: false,
    },
    userVote: null,
    result: null,
  }));
  return { "/user/get-proposals": documents };
}

export function inventedLedger() {
  return {
    "/user/all-users": { success: true, total: 64 },
    "/user/all-contribution": { success: true, total: 812, totalCents: 927_400 },
    "/user/get-cash-overviews": {
      success: true,
      monthlyDonation: 742,
      cashAtHand: 3214,
      monthlyFixedCost: 58,
      cashDeployed: 28_820,
      available: 8904,
      allocated: 7123,
      unallocated: 1781,
      year: 2026,
    },
    "/ledger/budget": {
      year: 2026,
      available: 8904,
      allocated: 7123,
      unallocated: 1781,
      availableCents: 890_400,
      allocatedCents: 712_300,
      unallocatedCents: 178_100,
      spentCents: 500_000,
      heldCents: 212_300,
    },
    "/ledger/transactions": {
      items: [
        row("t6", "2026-11-18", "Monthly contribution", "subscription", 1000, "SUB-2041"),
        row("t5", "2026-11-15", "Field coordinator, half month", "salary", -2600, "SAL-0311"),
        row("t4", "2026-11-12", "Monthly contribution", "subscription", 2500, "SUB-2040"),
      ],
      next: null,
    },
  };
}

function fund(name, promised, receivedCents, spentCents, actual) {
  return {
    fund: name,
    receivedCents,
    spentCents,
    feesCents: 0,
    heldCents: 0,
    promisedShare: promised,
    actualShare: actual,
  };
}

function row(id, date, description, type, amountCents, reference) {
  return {
    id,
    date,
    description,
    kind: type,
    type,
    amountCents,
    funds: {},
    reference,
    details: { category: type, reference, description },
  };
}
