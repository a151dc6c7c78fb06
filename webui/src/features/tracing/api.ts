import {
  dictionary,
  flag,
  list,
  mapped,
  number,
  object,
  optional,
  text,
  withDefault,
  type Infer,
} from "@/lib/api/decode";
import { resourceAt, type Resource } from "@/lib/api/resource";
import { bookedText } from "@/lib/text/booked";
import { foreignAmount } from "@/lib/text/foreign";

const contribution = object({
  date: text,
  kind: text,
  reference: withDefault(text, ""),
  amountCents: number,
  refundedCents: number,
});

const paid = object({
  account: text,
  project: withDefault(bookedText, ""),
  date: text,
  cents: number,
  /** The whole payment, where the payee received it in another currency. */
  wholeCents: withDefault(number, 0),
  foreign: optional(foreignAmount),
});

/** The part of a member's dollars that went into one fund. */
const fundTrace = object({
  receivedCents: number,
  refundedCents: withDefault(number, 0),
  waitingCents: number,
  paid: list(paid),
});

/** The trace of the member's own dollars, to the cent. */
const trace = mapped(
  object({
    period: object({ to: text }),
    books: object({ size: number, root: text }),
    contributions: list(contribution),
    paidCents: number,
    refundedCents: number,
    keptCents: number,
    funds: dictionary(fundTrace),
  }),
  ({ period, ...rest }) => ({ ...rest, to: period.to }),
);

/** What the story of a project is told with. */
const storyProject = object({
  title: text,
  category: text,
  imageUrl: optional(text),
  sample: withDefault(flag, false),
  milestones: withDefault(
    list(
      object({
        id: text,
        title: text,
        date: text,
        completed: withDefault(flag, false),
        images: withDefault(list(text), []),
        evidence: withDefault(list(object({ path: text, isImage: flag })), []),
      }),
    ),
    [],
  ),
  updates: withDefault(list(object({ id: text, title: text, date: text })), []),
});

/** One contribution of a member who is not named. */
const sample = object({ month: text, cents: number, runningCents: number, paid: list(paid) });

export type StoryProject = Infer<typeof storyProject>;
export type Evidence = StoryProject["milestones"][number]["evidence"][number];
export type Contribution = Infer<typeof contribution>;
export type Paid = Infer<typeof paid>;
export type FundTrace = Infer<typeof fundTrace>;
export type Trace = Infer<typeof trace>;

export const memberTrace = { path: "/user/impact", decode: trace };

/** Null while no contribution is spent. */
export const sampleTrace = {
  path: "/sample-trace",
  decode: mapped(object({ trace: optional(sample) }), ({ trace: found }) => found),
};

export function storyOf(slug: string): Resource<StoryProject> {
  return resourceAt(`/projects/${encodeURIComponent(slug)}#story`, storyProject);
}

/** The projects that have a page. The fragment is not sent; it tells apart two ways to decode. */
export const projectSlugs = {
  path: "/projects#slugs",
  decode: mapped(list(object({ slug: text })), (all) => all.map(({ slug }) => slug)),
};
