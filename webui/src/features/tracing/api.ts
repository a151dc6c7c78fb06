import {
  dictionary,
  list,
  mapped,
  number,
  object,
  optional,
  text,
  withDefault,
  type Infer,
} from "@/lib/api/decode";
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
  project: withDefault(text, ""),
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

export type Contribution = Infer<typeof contribution>;
export type Paid = Infer<typeof paid>;
export type FundTrace = Infer<typeof fundTrace>;
export type Trace = Infer<typeof trace>;

export const memberTrace = { path: "/user/impact", decode: trace };

/** The projects that have a page. The fragment is not sent; it tells apart two ways to decode. */
export const projectSlugs = {
  path: "/projects#slugs",
  decode: mapped(list(object({ slug: text })), (all) => all.map(({ slug }) => slug)),
};
