import { list, mapped, number, object, text, withDefault, type Infer } from "@/lib/api/decode";
import { resourceAt, type Resource } from "@/lib/api/resource";
import type { Proposal } from "./api";

/** The money of a decided proposal: set aside, paid, and for what. */
const proposalMoney = object({
  id: text,
  heldCents: withDefault(number, 0),
  queuedCents: withDefault(number, 0),
  releasedCents: withDefault(number, 0),
  paidCents: withDefault(number, 0),
  payouts: withDefault(
    list(object({ date: text, project: text, title: withDefault(text, ""), cents: number })),
    [],
  ),
});

const moneyReport = mapped(
  object({ period: object({ to: text }), proposals: list(proposalMoney) }),
  ({ period, proposals }) => ({ to: period.to, proposals }),
);

export type ProposalMoney = Infer<typeof proposalMoney>;

export type MoneyReport = Infer<typeof moneyReport>;

/**
 * The report with the money of a decided proposal: for members up to today, for visitors that of the
 * month of the decision, since other periods need a token.
 */
export function moneyOf(proposal: Proposal, today: Date | null): Resource<MoneyReport> {
  const decided = (proposal.decidedAt ?? proposal.endDate).slice(0, 10);
  const first = proposal.openedAt?.slice(0, 10) ?? decided;
  const query =
    today === null
      ? `month=${decided.slice(0, 7)}`
      : `from=${first}&to=${today.toISOString().slice(0, 10)}`;
  // The fragment is not sent; it tells apart resources that decode the same answer differently.
  return resourceAt(`/impact?${query}#money`, moneyReport);
}
