/** Valid API answers for tests; each field can be overridden. */
type Changes = Readonly<Record<string, unknown>>;

export function aConfig(changes: Changes = {}) {
  return {
    organisation: "Jara Foundation",
    legalName: null,
    siteUrl: "https://jara.example",
    payments: { provider: "sandbox", publishableKey: null },
    currency: "usd",
    donateUrl: null,
    contactEmail: "hello@jara.example",
    chatUrl: "https://chat.example",
    social: { x: "https://x.example/joinjara" },
    fundPolicy: {
      from: "2024-01-01",
      weights: { projects: 80, staff: 7, marketing: 9, other: 4 },
      feeWeights: { projects: 0, staff: 7, marketing: 9, other: 4 },
    },
    cardFee: { basisPoints: 290, fixedCents: 30 },
    today: "2026-11-21",
    limits: {
      pledgeDollarsMin: 5,
      pledgeDollarsMax: 999,
      pledgeDollarsDefault: 10,
      quickDollars: [5, 10, 20],
      billingDays: ["current", "1", "28"],
      giftCentsMin: 100,
      giftCentsMax: 99_999_900,
      passwordMin: 8,
      passwordMax: 128,
      nameMax: 100,
    },
    ...changes,
  };
}

export function someStats(changes: Changes = {}) {
  return {
    changemakers: 64,
    monthlyDonationCents: 74_200,
    cashAtHandCents: 321_400,
    monthlyFixedCostCents: 5_800,
    cashDeployedCents: 2_882_000,
    claims: [
      { figure: "$1457", label: "disbursed", sample: true },
      { figure: "4", label: "lives impacted", sample: true },
    ],
    ...changes,
  };
}

export function aProject(changes: Changes = {}) {
  return {
    id: "boreholes",
    slug: "clean-water-boreholes",
    title: "Clean water boreholes",
    location: "TZ",
    status: "In Progress",
    category: "water",
    imageUrl: null,
    summary: "Two boreholes and four standpipes.",
    completion: "Expected December 2026",
    progress: 80,
    fundingGoalCents: 870_000,
    capitalUsedCents: 809_000,
    story: "<p>The villages chose the sites together.</p>",
    milestones: [
      {
        id: "a",
        date: "2026-03-12",
        title: "Site survey",
        costCents: 64_000,
        images: [],
        completed: true,
      },
      {
        id: "b",
        date: "2026-12-15",
        title: "Handover",
        costCents: 61_000,
        images: [],
        completed: false,
      },
    ],
    updates: [
      {
        id: "u",
        title: "Second tank is filling",
        author: "Neema",
        date: "2026-09-04",
        content: "<p>No line.</p>",
      },
    ],
    vote: null,
    sample: false,
    ...changes,
  };
}

export function aTeamMember(changes: Changes = {}) {
  return {
    id: "efua",
    group: "trustees",
    name: "Efua Ɔfɔri",
    role: "Trustee",
    image: null,
    linkedinUrl: "https://linkedin.example/in/efua",
    sample: false,
    ...changes,
  };
}

export function aFaq(changes: Changes = {}) {
  return {
    id: "minimum",
    question: "How much do I need to give?",
    answer: "The minimum pledge is $5 a month.",
    onHome: true,
    ...changes,
  };
}

export function someDonations() {
  return {
    count: 2,
    totalCents: 954_700,
    donations: [
      { code: "TZ", title: "Two boreholes", amount: "$8,090", amountCents: 809_000 },
      { code: "BB", title: "Reef nursery frames", amount: "$1,457", amountCents: 145_700 },
    ],
  };
}

export function aGrant(changes: Changes = {}) {
  return {
    id: "kay",
    name: "Kay Lasante",
    project: "Vaccine cold chain",
    description: "A solar fridge.",
    location: "Plateau Central, Haiti",
    regionCode: "HT",
    category: "healthcare",
    amountCents: 475_000,
    imageUrl: null,
    ...changes,
  };
}

export function anImpactReport(changes: Changes = {}) {
  return {
    period: { from: "2026-10-01", to: "2026-10-31" },
    archive: [
      { from: "2025-01-01", to: "2025-12-31" },
      { from: "2026-10-01", to: "2026-10-31" },
    ],
    books: { size: 4182, root: "b1946ac9", at: "2026-10-31T21:14:00Z" },
    changemakers: 61,
    receivedCents: { pledges: 70_100, gifts: 12_500, grants: 0, other: 0, total: 82_600 },
    refundsCents: 1_000,
    feesCents: 4_310,
    funds: [
      {
        fund: "projects",
        receivedCents: 66_080,
        spentCents: 157_300,
        promisedShare: 80,
        actualShare: 80,
      },
      { fund: "committed", receivedCents: 0, spentCents: 0, promisedShare: 0, actualShare: 0 },
    ],
    driftNote: null,
    months: [
      { month: "2026-09", pledgesCents: 64_000, giftsCents: 0 },
      { month: "2026-10", pledgesCents: 70_100, giftsCents: 12_500 },
    ],
    disbursements: [
      {
        date: "2026-10-06",
        project: "reef",
        title: "Reef nursery frames",
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
        tally: { yes: 38, no: 7, roll: 58 },
      },
    ],
    projects: [
      {
        slug: "boreholes",
        title: "Boreholes",
        status: "In Progress",
        milestones: { done: 4, total: 5 },
        paidCents: 809_000,
      },
    ],
    lateEntries: [],
    ...changes,
  };
}

/** Answers to every call of the public pages. */
export function publicAnswers() {
  return {
    "GET /config": aConfig(),
    "GET /stats": someStats(),
    "GET /projects": [aProject()],
    "GET /projects/clean-water-boreholes": aProject(),
    "GET /grants": [aGrant()],
    "GET /donations": someDonations(),
    "GET /team": [aTeamMember()],
    "GET /faqs": [aFaq()],
    "GET /roadmap": [
      { id: "launch", title: "Launch Jara", status: "Complete" },
      {
        id: "first",
        title: "First 100 Contributors",
        status: "In Progress",
        measure: "changemakers",
        targetCount: 100,
      },
    ],
    "GET /impact": anImpactReport(),
  };
}
