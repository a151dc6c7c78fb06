import { flag, list, number, object, oneOf, optional, text, withDefault } from "@/lib/api/decode";
import type { Resource } from "@/lib/api/resource";

export const CATEGORIES = [
  "civic",
  "water",
  "healthcare",
  "education",
  "business",
  "agriculture",
] as const;
export type Category = (typeof CATEGORIES)[number];

export const PROJECT_STATUSES = ["Planning", "In Progress", "Complete"] as const;
export type ProjectStatus = (typeof PROJECT_STATUSES)[number];

export type ProjectCard = {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly location: string | null;
  readonly status: ProjectStatus;
  readonly category: Category;
  readonly imageUrl: string | null;
  readonly summary: string;
  readonly sample: boolean;
};

/** A photo or document that shows a milestone was reached; its name is the hash of its bytes. */
export type Evidence = {
  readonly path: string;
  readonly sha256: string;
  readonly isImage: boolean;
};

export type Milestone = {
  readonly id: string;
  readonly date: string;
  readonly title: string;
  readonly costCents: number;
  readonly paidCents: number;
  readonly images: readonly string[];
  readonly evidence: readonly Evidence[];
  readonly completed: boolean;
};

/** What a passed vote has promised, and what became of it. */
export type Commitment = {
  readonly goalCents: number;
  readonly heldCents: number;
  readonly paidCents: number;
  readonly releasedCents: number;
  readonly queuedCents: number;
};

/** A payment out of the ledger; one that came back is negative. */
export type Payout = {
  readonly entry: string;
  readonly date: string;
  readonly cents: number;
};

export type FieldUpdate = {
  readonly id: string;
  readonly title: string;
  readonly author: string;
  readonly date: string;
  readonly content: string;
};

export type ProjectVote = {
  readonly slug: string;
  readonly title: string;
};

export type Project = ProjectCard & {
  readonly completion: string | null;
  readonly fundingGoalCents: number | null;
  readonly capitalUsedCents: number;
  readonly story: string;
  readonly milestones: readonly Milestone[];
  readonly updates: readonly FieldUpdate[];
  readonly vote: ProjectVote | null;
  readonly commitment: Commitment | null;
  readonly payouts: readonly Payout[];
  readonly paidCents: number;
};

export type Grant = {
  readonly id: string;
  readonly name: string;
  readonly project: string;
  readonly description: string;
  readonly location: string | null;
  readonly regionCode: string | null;
  readonly category: Category;
  readonly amountCents: number;
  readonly imageUrl: string | null;
  readonly sample: boolean;
};

export type Donation = {
  readonly code: string;
  readonly title: string;
  readonly amountCents: number;
};

export type DonationList = {
  readonly count: number;
  readonly totalCents: number;
  readonly donations: readonly Donation[];
};

export type TeamMember = {
  readonly id: string;
  readonly group: "trustees" | "operations";
  readonly name: string;
  readonly role: string;
  readonly image: string | null;
  readonly linkedinUrl: string | null;
  readonly sample: boolean;
};

const cardFields = {
  id: text,
  slug: text,
  title: text,
  location: optional(text),
  status: oneOf(PROJECT_STATUSES),
  category: oneOf(CATEGORIES),
  imageUrl: optional(text),
  summary: withDefault(text, ""),
  sample: withDefault(flag, false),
};

const evidence = object<Evidence>({ path: text, sha256: text, isImage: flag });

const commitment = object<Commitment>({
  goalCents: number,
  heldCents: number,
  paidCents: number,
  releasedCents: number,
  queuedCents: number,
});

const payout = object<Payout>({ entry: text, date: text, cents: number });

const milestone = object<Milestone>({
  id: text,
  date: text,
  title: text,
  costCents: number,
  paidCents: withDefault(number, 0),
  images: withDefault(list(text), []),
  evidence: withDefault(list(evidence), []),
  completed: withDefault(flag, false),
});

const fieldUpdate = object<FieldUpdate>({
  id: text,
  title: text,
  author: text,
  date: text,
  content: text,
});

export const projectList: Resource<ProjectCard[]> = {
  path: "/projects",
  decode: list(object<ProjectCard>(cardFields)),
};

const projects = new Map<string, Resource<Project>>();

/** One project by its slug or title; the same resource every time. */
export function projectBy(name: string): Resource<Project> {
  const known = projects.get(name);
  if (known !== undefined) return known;
  const resource: Resource<Project> = {
    path: `/projects/${encodeURIComponent(name)}`,
    decode: object<Project>({
      ...cardFields,
      completion: optional(text),
      fundingGoalCents: optional(number),
      capitalUsedCents: withDefault(number, 0),
      story: withDefault(text, ""),
      milestones: withDefault(list(milestone), []),
      updates: withDefault(list(fieldUpdate), []),
      vote: optional(object<ProjectVote>({ slug: text, title: text })),
      commitment: optional(commitment),
      payouts: withDefault(list(payout), []),
      paidCents: withDefault(number, 0),
    }),
  };
  projects.set(name, resource);
  return resource;
}

export const grantList: Resource<Grant[]> = {
  path: "/grants",
  decode: list(
    object<Grant>({
      id: text,
      name: text,
      project: text,
      description: withDefault(text, ""),
      location: optional(text),
      regionCode: optional(text),
      category: oneOf(CATEGORIES),
      amountCents: number,
      imageUrl: optional(text),
      sample: withDefault(flag, false),
    }),
  ),
};

export const donationList: Resource<DonationList> = {
  path: "/donations",
  decode: object<DonationList>({
    count: number,
    totalCents: number,
    donations: list(object<Donation>({ code: text, title: text, amountCents: number })),
  }),
};

export const teamList: Resource<TeamMember[]> = {
  path: "/team",
  decode: list(
    object<TeamMember>({
      id: text,
      group: oneOf(["trustees", "operations"]),
      name: text,
      role: text,
      image: optional(text),
      linkedinUrl: optional(text),
      sample: withDefault(flag, false),
    }),
  ),
};
