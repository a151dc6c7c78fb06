import type { MemberTrace, TraceFund } from "@/api/schema";
import { FUNDS, type Fund } from "@/lib/models/config";
import type { Paid } from "./api";

/** A member's share of the payments to one project or kind of cost. */
export type Share = {
  readonly account: string;
  readonly name: string;
  readonly sample: boolean | undefined;
  readonly fund: Fund;
  readonly cents: number;
  /** Date of the last payment. */
  readonly date: string;
  /** The payments that the payee received in another currency. */
  readonly abroad: readonly Paid[];
};

export type FundSums = {
  readonly fund: Fund;
  readonly receivedCents: number;
  readonly paidCents: number;
  readonly waitingCents: number;
  readonly refundedCents: number;
};

const NOTHING: TraceFund = {
  receivedCents: 0,
  refundedCents: 0,
  waitingCents: 0,
  otherRefundsCents: 0,
  paid: [],
};

/**
 * The four funds in their order; in each, received = paid + waiting + refunded. The trace covers
 * all periods, so that no refund stands in another one than its payment.
 */
export function fundSums(trace: MemberTrace): FundSums[] {
  return FUNDS.map((fund) => {
    const { paid, ...sums } = trace.funds[fund] ?? NOTHING;
    return { ...sums, fund, paidCents: sumOf(paid) };
  });
}

/** The total row. */
export function totalOf(sums: readonly FundSums[]): Omit<FundSums, "fund"> {
  const add = (key: keyof Omit<FundSums, "fund">) =>
    sums.reduce((total, line) => total + line[key], 0);
  return {
    receivedCents: add("receivedCents"),
    paidCents: add("paidCents"),
    waitingCents: add("waitingCents"),
    refundedCents: add("refundedCents"),
  };
}

/** What was paid, one line for each project and kind of cost, the largest of each fund first. */
export function paidShares(trace: MemberTrace): Share[] {
  return FUNDS.flatMap((fund) => {
    const shares = new Map<string, Share>();
    for (const paid of trace.funds[fund]?.paid ?? []) {
      const before = shares.get(paid.account);
      shares.set(paid.account, {
        account: paid.account,
        name: paid.project === "" ? paid.account : paid.project,
        sample: paid.sample,
        fund,
        cents: (before?.cents ?? 0) + paid.cents,
        date: before !== undefined && before.date > paid.date ? before.date : paid.date,
        abroad: [...(before?.abroad ?? []), ...(paid.foreign ? [paid] : [])],
      });
    }
    return [...shares.values()].toSorted((left, right) => right.cents - left.cents);
  });
}

function sumOf(paid: readonly Paid[]): number {
  return paid.reduce((sum, { cents }) => sum + cents, 0);
}
