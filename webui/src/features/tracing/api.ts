import {
  dictionary,
  list,
  number,
  object,
  optional,
  text,
  withDefault,
  type Decoder,
} from "@/lib/api/decode";
import type { Resource } from "@/lib/api/resource";

export type Contribution = {
  readonly date: string;
  readonly kind: string;
  readonly reference: string;
  readonly amountCents: number;
  readonly refundedCents: number;
};

export type Paid = {
  readonly account: string;
  readonly project: string;
  readonly date: string;
  readonly cents: number;
};

/** The part of a member's dollars that went into one fund. */
export type FundTrace = {
  readonly receivedCents: number;
  readonly refundedCents: number;
  readonly waitingCents: number;
  readonly paid: readonly Paid[];
};

export type Trace = {
  readonly to: string;
  readonly books: { readonly size: number; readonly root: string };
  readonly contributions: readonly Contribution[];
  readonly paidCents: number;
  readonly refundedCents: number;
  readonly keptCents: number;
  readonly funds: Readonly<Record<string, FundTrace>>;
};

const orEmpty: Decoder<string> = (value, where) => optional(text)(value, where) ?? "";

const wire = object({
  period: object({ to: text }),
  books: object<Trace["books"]>({ size: number, root: text }),
  contributions: list(
    object<Contribution>({
      date: text,
      kind: text,
      reference: orEmpty,
      amountCents: number,
      refundedCents: number,
    }),
  ),
  paidCents: number,
  refundedCents: number,
  keptCents: number,
  funds: dictionary(
    object<FundTrace>({
      receivedCents: number,
      refundedCents: withDefault(number, 0),
      waitingCents: number,
      paid: list(object<Paid>({ account: text, project: orEmpty, date: text, cents: number })),
    }),
  ),
});

/** The trace of the member's own dollars, to the cent. */
export const memberTrace: Resource<Trace> = {
  path: "/user/impact",
  decode: (value) => {
    const { period, ...trace } = wire(value);
    return { ...trace, to: period.to };
  },
};

/** The projects that have a page; what follows the sign marks how the answer is read. */
export const projectSlugs: Resource<string[]> = {
  path: "/projects#slugs",
  decode: (value) => list(object({ slug: text }))(value).map(({ slug }) => slug),
};
