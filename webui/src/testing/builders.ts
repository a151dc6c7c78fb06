/** Valid API answers for tests; each field can be overridden. */
import type { Donations, MilestoneMoney, ProjectPage, Settings, Statistics } from "@/api/schema";
import type { Answer } from "@/lib/api/calls";
import * as rules from "@/rules.json";
import { anImpactReport } from "@/testing/reports";

type TeamMember = Answer<"/team">[number];
type Faq = Answer<"/faqs">[number];
type Grant = Answer<"/grants">[number];

export function aConfig(changes: Partial<Settings> = {}): Settings {
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
      weights: rules.fundPolicy,
      feeWeights: { projects: 0, staff: 7, marketing: 9, other: 4 },
    },
    voteRule: { num: 1, den: 2, of: "roll" },
    cardFee: { basisPoints: 290, fixedCents: 30 },
    ways: [],
    today: "2026-11-21",
    limits: {
      pledgeDollarsMin: rules.pledgeDollarsMin,
      pledgeDollarsMax: rules.pledgeDollarsMax,
      pledgeDollarsDefault: rules.pledgeDollarsDefault,
      quickDollars: rules.quickDollars,
      billingDays: ["current", "1", "28"],
      giftCentsMin: rules.giftCentsMin,
      giftCentsMax: rules.giftCentsMax,
      passwordMin: rules.passwordMin,
      passwordMax: 128,
      nameMax: 100,
    },
    ...changes,
  };
}

export function someStats(changes: Partial<Statistics> = {}): Statistics {
  return {
    contributions: 640,
    contributionsCents: 742_000,
    donations: 0,
    donationsCents: 0,
    projects: 1,
    countries: 1,
    changemakers: 64,
    monthlyDonationCents: 74_200,
    cashAtHandCents: 321_400,
    monthlyFixedCostCents: 5_800,
    cashDeployedCents: 2_882_000,
    pledgesCents: 1_322_000,
    donatedCents: 2_100_000,
    votedOnCents: 1_314_700,
    claims: [
      { id: "a", figure: "$1457", label: "disbursed", sample: true, language: "en" },
      { id: "b", figure: "4", label: "lives impacted", sample: true, language: "en" },
    ],
    ...changes,
  };
}

export function aProject(changes: Partial<ProjectPage> = {}): ProjectPage {
  return {
    id: "boreholes",
    slug: "clean-water-boreholes",
    account: "expenses:projects:clean-water-boreholes",
    lastStepOn: null,
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
      aMilestone({ id: "a", date: "2026-03-12", title: "Site survey", completed: true }),
      aMilestone({ id: "b", date: "2026-12-15", title: "Handover", costCents: 61_000 }),
    ],
    measures: [],
    late: null,
    updates: [
      {
        id: "u",
        project: "clean-water-boreholes",
        title: "Second tank is filling",
        author: "Neema",
        date: "2026-09-04",
        content: "<p>No line.</p>",
        language: "en",
      },
    ],
    commitment: null,
    payouts: [],
    paidAbroad: [],
    paidCents: 0,
    vote: null,
    sample: false,
    language: "en",
    ...changes,
  };
}

export function aMilestone(changes: Partial<MilestoneMoney> = {}): MilestoneMoney {
  return {
    id: "a",
    date: "2026-03-12",
    title: "Site survey",
    costCents: 64_000,
    paidCents: 0,
    leftCents: 64_000,
    images: [],
    evidence: [],
    completed: false,
    ...changes,
  };
}

export function aTeamMember(changes: Partial<TeamMember> = {}): TeamMember {
  return {
    id: "efua",
    group: "trustees",
    name: "Efua Ɔfɔri",
    role: "Trustee",
    linkedinUrl: "https://linkedin.example/in/efua",
    sample: false,
    language: "en",
    ...changes,
  };
}

export function aFaq(changes: Partial<Faq> = {}): Faq {
  return {
    id: "minimum",
    question: "How much do I need to give?",
    answer: "The minimum pledge is $5 a month.",
    onHome: true,
    language: "en",
    ...changes,
  };
}

export function someDonations(): Donations {
  return {
    count: 2,
    totalCents: 954_700,
    donations: [
      { code: "TZ", title: "Two boreholes", amount: "$8,090", amountCents: 809_000, language: "en", projectSlug: "clean-water-boreholes" },
      { code: "BB", title: "Reef nursery frames", amount: "$1,457", amountCents: 145_700, language: "en", projectSlug: null },
    ],
  };
}

export function aGrant(changes: Partial<Grant> = {}): Grant {
  return {
    id: "kay",
    slug: "kay",
    name: "Kay Lasante",
    project: "Vaccine cold chain",
    description: "A solar fridge.",
    location: "Plateau Central, Haiti",
    regionCode: "HT",
    category: "healthcare",
    amountCents: 475_000,
    language: "en",
    projectSlug: null,
    ...changes,
  };
}

/** Answers to every call of the public pages. */
export function publicAnswers() {
  return {
    "GET /user/get-proposals#open": [],
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
