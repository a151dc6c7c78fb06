import {
  flag,
  list,
  mapped,
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
import { FUNDS } from "@/lib/models/config";
import impactTexts from "@/messages/en/impact.json";
import { translator } from "@/lib/text/messages";

const t = translator(impactTexts);

const period = object({ from: text, to: text });

const fund = object({
  fund: text,
  receivedCents: number,
  spentCents: number,
  promisedShare: optional(number),
  actualShare: optional(number),
});

const month = object({ month: text, pledgesCents: number, giftsCents: withDefault(number, 0) });

/** A title; the server marks those of sample content in English. */
const title = mapped(text, (written) => {
  const own = written.replace(/ \(sample\)$/, "");
  return own === written ? written : t("sampled", { title: own });
});

const payout = object({
  date: text,
  project: text,
  title: optional(title),
  proposal: optional(text),
  cents: number,
  foreign: optional(foreignAmount),
});

const decidedProposal = object({
  id: text,
  slug: withDefault(text, ""),
  title,
  status: text,
  tally: optional(object({ yes: number, no: number, roll: number })),
});

const projectProgress = object({
  slug: text,
  title,
  status: text,
  milestones: object({ done: number, total: number }),
  paidCents: withDefault(number, 0),
});

const fundName = oneOf(FUNDS);

// A fund without a promised share, such as money committed to a vote, is not part of the split.
function splitLine(line: Infer<typeof fund>) {
  const { promisedShare, actualShare } = line;
  if (promisedShare === null || actualShare === null || line.fund === "committed") return [];
  return [{ ...line, fund: fundName(line.fund), promisedShare, actualShare }];
}

const report = object({
  period,
  isOver: withDefault(flag, true),
  archive: withDefault(list(period), []),
  books: object({ size: number, root: text, at: optional(text) }),
  changemakers: number,
  receivedCents: object({
    pledges: number,
    gifts: number,
    grants: number,
    other: withDefault(number, 0),
    total: number,
  }),
  refundsCents: number,
  feesCents: number,
  funds: mapped(list(fund), (lines) => lines.flatMap(splitLine)),
  driftNote: optional(text),
  months: mapped(withDefault(list(month), []), (lines) =>
    lines.map((line) => ({ month: line.month, cents: line.pledgesCents + line.giftsCents })),
  ),
  disbursements: list(payout),
  disbursedCents: withDefault(number, 0),
  paidAbroad: withDefault(foreignSums, []),
  cashAtHandCents: number,
  proposals: list(decidedProposal),
  projects: list(projectProgress),
  /** The number of entries that were booked after the report. */
  lateEntries: mapped(withDefault(list<unknown>((value) => value), []), ({ length }) => length),
});

export type Period = Infer<typeof period>;
export type DecidedProposal = Infer<typeof decidedProposal>;
export type ImpactReport = Infer<typeof report>;

/** The report of a month (`2026-10`), of a year (`2026`), of all time (`all`), or of this year. */
export function impactReport(wanted: string | null): Resource<ImpactReport> {
  return resourceAt(`/impact${queryOf(wanted)}`, report);
}

/** The query value of a period. */
export function periodKey({ from, to }: Period): string {
  if (from.slice(0, 4) !== to.slice(0, 4)) return "all";
  return from.slice(0, 7) === to.slice(0, 7) ? from.slice(0, 7) : from.slice(0, 4);
}

function queryOf(wanted: string | null): string {
  if (wanted === "all") return "?all=true";
  if (wanted === null || !/^\d{4}(-\d{2})?$/.test(wanted)) return "";
  return wanted.length === 4 ? `?year=${wanted}` : `?month=${wanted}`;
}
