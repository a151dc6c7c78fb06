import { list, mapped, number, object, optional, text, type Infer } from "@/lib/api/decode";
import { resourceAt, type Resource } from "@/lib/api/resource";

const payout = object({ date: text, proposal: optional(text), cents: number });

const commitment = object({
  heldCents: number,
  paidCents: number,
  releasedCents: number,
  queuedCents: number,
});

const projectMoney = object({ commitment: optional(commitment), payouts: list(payout) });

/** The money of a decided proposal: set aside, paid, and when. */
export type ProposalMoney = Infer<typeof commitment> & {
  readonly payouts: readonly Infer<typeof payout>[];
};

/**
 * The money that followed a vote, from the project that it funds: the same figures as on the
 * project's own page.
 */
export function moneyOf(proposalSlug: string, projectSlug: string): Resource<ProposalMoney | null> {
  // The fragment is not sent; it tells apart resources that decode the same answer differently.
  return resourceAt(
    `/projects/${encodeURIComponent(projectSlug)}#${proposalSlug}`,
    mapped(projectMoney, ({ commitment: kept, payouts }) =>
      kept === null
        ? null
        : { ...kept, payouts: payouts.filter(({ proposal }) => proposal === proposalSlug) },
    ),
  );
}
