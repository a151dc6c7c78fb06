import {
  list,
  number,
  object,
  oneOf,
  optional,
  text,
  withDefault,
  type Decoder,
} from "@/lib/api/decode";
import type { Resource } from "@/lib/api/resource";

export type Period = { readonly from: string; readonly to: string };

export type FundLine = {
  readonly fund: "projects" | "staff" | "marketing" | "other";
  readonly receivedCents: number;
  readonly spentCents: number;
  readonly promisedShare: number;
  readonly actualShare: number;
};

export type Payout = {
  readonly date: string;
  readonly project: string;
  readonly title: string | null;
  readonly proposal: string | null;
  readonly cents: number;
};

export type DecidedProposal = {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly status: string;
  readonly tally: { readonly yes: number; readonly no: number; readonly roll: number } | null;
};

export type ProjectProgress = {
  readonly slug: string;
  readonly title: string;
  readonly status: string;
  readonly milestones: { readonly done: number; readonly total: number };
  readonly paidCents: number;
};

export type ImpactReport = {
  readonly period: Period;
  readonly archive: readonly Period[];
  readonly books: { readonly size: number; readonly root: string; readonly at: string | null };
  readonly changemakers: number;
  readonly receivedCents: {
    readonly pledges: number;
    readonly gifts: number;
    readonly grants: number;
    readonly other: number;
    readonly total: number;
  };
  readonly refundsCents: number;
  readonly feesCents: number;
  readonly funds: readonly FundLine[];
  readonly driftNote: string | null;
  readonly months: readonly { readonly month: string; readonly cents: number }[];
  readonly disbursements: readonly Payout[];
  readonly disbursedCents: number;
  readonly cashAtHandCents: number;
  readonly proposals: readonly DecidedProposal[];
  readonly projects: readonly ProjectProgress[];
  readonly lateEntries: number;
};

const period = object<Period>({ from: text, to: text });

const month = object({ month: text, pledgesCents: number, giftsCents: withDefault(number, 0) });

const wire = object({
  period,
  archive: withDefault(list(period), []),
  books: object<ImpactReport["books"]>({ size: number, root: text, at: optional(text) }),
  changemakers: number,
  receivedCents: object<ImpactReport["receivedCents"]>({
    pledges: number,
    gifts: number,
    grants: number,
    other: withDefault(number, 0),
    total: number,
  }),
  refundsCents: number,
  feesCents: number,
  // A fund that carries no promise, such as money committed to a vote, is not part of the split.
  funds: list(
    object({
      fund: text,
      receivedCents: number,
      spentCents: number,
      promisedShare: optional(number),
      actualShare: optional(number),
    }),
  ),
  driftNote: optional(text),
  months: withDefault(list(month), []),
  disbursements: list(
    object<Payout>({
      date: text,
      project: text,
      title: optional(text),
      proposal: optional(text),
      cents: number,
    }),
  ),
  disbursedCents: withDefault(number, 0),
  cashAtHandCents: number,
  proposals: list(
    object<DecidedProposal>({
      id: text,
      slug: withDefault(text, ""),
      title: text,
      status: text,
      tally: optional(object({ yes: number, no: number, roll: number })),
    }),
  ),
  projects: list(
    object<ProjectProgress>({
      slug: text,
      title: text,
      status: text,
      milestones: object({ done: number, total: number }),
      paidCents: withDefault(number, 0),
    }),
  ),
  lateEntries: withDefault(
    list((value) => value),
    [],
  ),
});

const fundName = oneOf(["projects", "staff", "marketing", "other"]);

const decodeReport: Decoder<ImpactReport> = (value) => {
  const report = wire(value);
  return {
    ...report,
    lateEntries: report.lateEntries.length,
    months: report.months.map((line) => ({
      month: line.month,
      cents: line.pledgesCents + line.giftsCents,
    })),
    funds: report.funds.flatMap((line) => {
      if (line.promisedShare === null || line.actualShare === null || line.fund === "committed")
        return [];
      const { promisedShare, actualShare } = line;
      return [{ ...line, fund: fundName(line.fund), promisedShare, actualShare }];
    }),
  };
};

const reports = new Map<string, Resource<ImpactReport>>();

/** The report of a month (`2026-10`), of a year (`2026`), or the newest. */
export function impactReport(wanted: string | null): Resource<ImpactReport> {
  const path = `/impact${queryOf(wanted)}`;
  const known = reports.get(path);
  if (known !== undefined) return known;
  const resource = { path, decode: decodeReport };
  reports.set(path, resource);
  return resource;
}

/** The name under which a period is asked for. */
export function periodKey({ from, to }: Period): string {
  return from.slice(0, 7) === to.slice(0, 7) ? from.slice(0, 7) : from.slice(0, 4);
}

function queryOf(wanted: string | null): string {
  if (wanted === null || !/^\d{4}(-\d{2})?$/.test(wanted)) return "";
  return wanted.length === 4 ? `?year=${wanted}` : `?month=${wanted}`;
}
