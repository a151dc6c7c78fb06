import { describe, expect, test } from "vitest";
import type { MemberTrace } from "@/api/schema";
import { fundSums, paidShares, totalOf } from "./trace-sums";

const payment = (account: string, date: string, cents: number) => ({
  account,
  project: account === "expenses:odd" ? "" : "Wells",
  entry: "e",
  date,
  cents,
});

const TRACE: MemberTrace = {
  organisation: "Jara Foundation",
  member: { key: "m", name: "Ama" },
  period: { from: "2000-01-01", to: "2026-11-21" },
  books: { size: 1, root: "00", at: null },
  receivedCents: 800,
  isHomeCurrency: false,
  contributions: [],
  earlierRefunds: [],
  paidCents: 1000,
  refundedCents: 0,
  keptCents: 1000,
  funds: {
    projects: {
      receivedCents: 800,
      refundedCents: 50,
      waitingCents: 150,
      otherRefundsCents: 0,
      paid: [
        payment("expenses:odd", "2026-03-01", 100),
        payment("expenses:projects:wells", "2026-05-01", 300),
        payment("expenses:projects:wells", "2026-04-01", 200),
      ],
    },
  },
};

describe("the sums of a trace", () => {
  test("each fund that the server left out stands at nothing", () => {
    const sums = fundSums(TRACE);

    expect(sums.map(({ fund }) => fund)).toEqual(["projects", "staff", "marketing", "other"]);
    expect(sums[1]).toMatchObject({ receivedCents: 0, paidCents: 0, waitingCents: 0 });
  });

  test("received is paid, waiting and refunded", () => {
    const { receivedCents, paidCents, waitingCents, refundedCents } = totalOf(fundSums(TRACE));

    expect(receivedCents).toBe(paidCents + waitingCents + refundedCents);
  });

  test("payments of one account are summed under their last date, largest first", () => {
    expect(paidShares(TRACE)).toEqual([
      {
        account: "expenses:projects:wells",
        name: "Wells",
        fund: "projects",
        cents: 500,
        date: "2026-05-01",
        abroad: [],
      },
      {
        account: "expenses:odd",
        name: "expenses:odd",
        fund: "projects",
        cents: 100,
        date: "2026-03-01",
        abroad: [],
      },
    ]);
  });
});
