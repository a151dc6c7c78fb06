import { list, number, object, optional, text, withDefault } from "@/lib/api/decode";
import type { Resource } from "@/lib/api/resource";
import type { Proposal } from "./api";

export type ProposalPayout = {
  readonly date: string;
  readonly project: string;
  readonly title: string;
  readonly cents: number;
};

/** What became of a decision: money set aside, money paid, and for what. */
export type ProposalMoney = {
  readonly id: string;
  readonly heldCents: number;
  readonly queuedCents: number;
  readonly releasedCents: number;
  readonly paidCents: number;
  readonly payouts: readonly ProposalPayout[];
};

export type MoneyReport = { readonly to: string; readonly proposals: readonly ProposalMoney[] };

const wire = object({
  period: object({ to: text }),
  proposals: list(
    object<ProposalMoney>({
      id: text,
      heldCents: withDefault(number, 0),
      queuedCents: withDefault(number, 0),
      releasedCents: withDefault(number, 0),
      paidCents: withDefault(number, 0),
      payouts: withDefault(
        list(
          object<ProposalPayout>({
            date: text,
            project: text,
            title: (value, where) => optional(text)(value, where) ?? "",
            cents: number,
          }),
        ),
        [],
      ),
    }),
  ),
});

const reports = new Map<string, Resource<MoneyReport>>();

/**
 * The report that follows the money of a decided proposal: for members up to today, for visitors
 * that of the month in which it was decided (contract: other days need a token).
 */
export function moneyOf(proposal: Proposal, today: Date | null): Resource<MoneyReport> {
  const decided = (proposal.decidedAt ?? proposal.endDate).slice(0, 10);
  const first = proposal.openedAt?.slice(0, 10) ?? decided;
  // What follows the sign marks the answer as read in this way; it is not sent.
  const path =
    today === null
      ? `/impact?month=${decided.slice(0, 7)}#money`
      : `/impact?from=${first}&to=${today.toISOString().slice(0, 10)}#money`;
  const known = reports.get(path);
  if (known !== undefined) return known;
  const resource: Resource<MoneyReport> = {
    path,
    decode: (value) => {
      const { period, proposals } = wire(value);
      return { to: period.to, proposals };
    },
  };
  reports.set(path, resource);
  return resource;
}
