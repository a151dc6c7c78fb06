import {
  flag,
  list,
  number,
  object,
  oneOf,
  optional,
  text,
  withDefault,
  type Infer,
} from "@/lib/api/decode";
import { foreignAmount, foreignSums } from "@/lib/text/foreign";
import { resourceAt, type Resource } from "@/lib/api/resource";

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

const cardFields = {
  id: text,
  slug: text,
  title: text,
  location: optional(text),
  status: oneOf(PROJECT_STATUSES),
  category: oneOf(CATEGORIES),
  imageUrl: optional(text),
  summary: withDefault(text, ""),
  fundingGoalCents: optional(number),
  capitalUsedCents: withDefault(number, 0),
  sample: withDefault(flag, false),
};
const projectCard = object(cardFields);

/** A photo or document that shows a milestone was reached; its name is the hash of its bytes. */
const evidence = object({ path: text, sha256: text, isImage: flag });

const milestone = object({
  id: text,
  date: text,
  title: text,
  costCents: number,
  paidCents: withDefault(number, 0),
  images: withDefault(list(text), []),
  evidence: withDefault(list(evidence), []),
  completed: withDefault(flag, false),
});

const fieldUpdate = object({ id: text, title: text, author: text, date: text, content: text });

/** The money that a passed vote committed, and what happened to it. */
const commitment = object({
  goalCents: number,
  heldCents: number,
  paidCents: number,
  releasedCents: number,
  queuedCents: number,
});

/** A payment from the ledger; a returned payment is negative. */
const payout = object({
  entry: text,
  date: text,
  cents: number,
  foreign: optional(foreignAmount),
});

const project = object({
  ...cardFields,
  completion: optional(text),
  story: withDefault(text, ""),
  milestones: withDefault(list(milestone), []),
  updates: withDefault(list(fieldUpdate), []),
  vote: optional(object({ slug: text, title: text })),
  commitment: optional(commitment),
  payouts: withDefault(list(payout), []),
  paidCents: withDefault(number, 0),
  paidAbroad: withDefault(foreignSums, []),
});

const grant = object({
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
});

const donations = object({
  count: number,
  totalCents: number,
  donations: list(object({ code: text, title: text, amountCents: number })),
});

const teamMember = object({
  id: text,
  group: oneOf(["trustees", "operations"]),
  name: text,
  role: text,
  image: optional(text),
  linkedinUrl: optional(text),
  sample: withDefault(flag, false),
});

export type ProjectCard = Infer<typeof projectCard>;
export type Milestone = Infer<typeof milestone>;
export type Commitment = Infer<typeof commitment>;
export type Project = Infer<typeof project>;
export type Grant = Infer<typeof grant>;
export type DonationList = Infer<typeof donations>;
export type TeamMember = Infer<typeof teamMember>;

export const projectList = { path: "/projects", decode: list(projectCard) };
export const grantList = { path: "/grants", decode: list(grant) };
export const donationList = { path: "/donations", decode: donations };
export const teamList = { path: "/team", decode: list(teamMember) };

/** One project by its slug or title. */
export function projectBy(name: string): Resource<Project> {
  return resourceAt(`/projects/${encodeURIComponent(name)}`, project);
}
