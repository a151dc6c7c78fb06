import type { Followed, TraceFund } from "@/api/schema";
import { FUNDS, type Fund } from "@/lib/models/config";

/** One end of the threads: what a part of the money paid for, or where it is now. */
export type FlowPart = {
  readonly fund: Fund;
  readonly state: "paid" | "waiting" | "refunded";
  /** Of what was paid: the slug of its project, if it is one, and its title in the books. */
  readonly project: string | null;
  readonly title: string;
  readonly sample?: boolean | undefined;
  readonly cents: number;
};

type Paid = Omit<FlowPart, "fund" | "state">;

/** Threads of the picture: each is about a hundredth of the amount. */
const THREADS = 100;

/** The parts of an amount that was followed, fund by fund. */
export function partsOfAmount(funds: Followed["funds"]): FlowPart[] {
  return funds.flatMap(({ fund, paid, waitingCents, refundedCents }) =>
    partsOf(fund as Fund, paid, waitingCents, refundedCents),
  );
}

/** The parts of traced payments, fund by fund; payments of one account are one part. */
export function partsOfTrace(
  trace: Readonly<Partial<Record<Fund, TraceFund>>>,
  projects: readonly { readonly account: string; readonly slug: string }[],
): FlowPart[] {
  const slugs = new Map(projects.map(({ account, slug }) => [account, slug]));
  return FUNDS.flatMap((fund) => {
    const { paid, waitingCents, refundedCents, otherRefundsCents } = trace[fund] ?? NOTHING;
    const sums = new Map<string, Paid>();
    for (const { account, project: title, sample, cents } of paid) {
      const before = sums.get(account)?.cents ?? 0;
      sums.set(account, { project: slugs.get(account) ?? null, title, sample, cents: before + cents });
    }
    const largestFirst = [...sums.values()].toSorted((left, right) => right.cents - left.cents);
    return partsOf(fund, largestFirst, waitingCents, refundedCents + otherRefundsCents);
  });
}

const NOTHING: TraceFund = { paid: [], receivedCents: 0, waitingCents: 0, refundedCents: 0, otherRefundsCents: 0 };

function partsOf(
  fund: Fund,
  paid: readonly Paid[],
  waiting: number,
  refunded: number,
): FlowPart[] {
  const none = { fund, project: null, title: "" };
  const parts: FlowPart[] = [
    ...paid.map((part) => ({ ...part, fund, state: "paid" as const })),
    { ...none, state: "waiting", cents: waiting },
    { ...none, state: "refunded", cents: refunded },
  ];
  return parts.filter(({ cents }) => cents > 0);
}

/** What the parts add up to, by state. */
export function sumsOf(parts: readonly FlowPart[]): Record<FlowPart["state"], number> {
  const sums = { paid: 0, waiting: 0, refunded: 0 };
  for (const { state, cents } of parts) sums[state] += cents;
  return sums;
}

/** A thread from the whole on the left to its part on the right; both places from 0 to 1. */
export type Thread = { readonly part: number; readonly from: number; readonly to: number };

/** The threads of the picture in order; every part has at least one. */
export function threadsOf(parts: readonly FlowPart[]): Thread[] {
  const whole = parts.reduce((sum, { cents }) => sum + cents, 0);
  const counts = parts.map(({ cents }) => Math.max(1, Math.round((cents / whole) * THREADS)));
  const all = counts.reduce((sum, count) => sum + count, 0);
  const row = 1 / parts.length;
  let before = 0;
  return counts.flatMap((count, part) => {
    const first = before;
    before += count;
    // Threads of a small part lie side by side; those of a large one fill its row.
    const gap = Math.min(row * 0.045, (row * 0.76) / count);
    return Array.from({ length: count }, (_, thread) => ({
      part,
      from: 0.5 + (first + thread + 0.5 - all / 2) * (0.84 / all),
      to: (part + 0.5) * row + (thread + 0.5 - count / 2) * gap,
    }));
  });
}
