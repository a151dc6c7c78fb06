import { describe, expect, test } from "vitest";
import type { Fund } from "@/api/schema";
import { aBudget, aTransaction } from "@/testing/ledger";
import { accountName } from "./account-name";
import { yearBefore } from "./api";
import { foldFees } from "./fold-fees";
import { fundName } from "./fund-name";
import { moneyParts } from "./money-parts";
import { NO_FILTERS, queryOf } from "./use-transactions";

describe("the ledger in words", () => {
  test.each([
    ["income:pledges", "Pledges"],
    ["expenses:projects:clean-water", "Project: clean water"],
    ["expenses:grants:cold-chain", "Grant: cold chain"],
    ["liabilities:suspense", "Not yet resolved"],
    ["equity", "Equity"],
  ])("the account %s is called %s", (account, name) => {
    expect(accountName(account)).toBe(name);
  });

  test("an unknown fund keeps its own name", () => {
    expect([fundName("other"), fundName("reserve")]).toEqual(["Other costs", "reserve"]);
  });
});

describe("what the rows and the chart add up to", () => {
  const row = (id: string, amountCents: number) => aTransaction({ id, amountCents });

  test("folded fees change no sum, and a fee without its payment stays", () => {
    const items = [row("a", 1000), row("a:fee", -59), row("b:fee", -20), row("c", 500)];
    const folded = foldFees(items);

    expect(folded.map(({ id }) => id)).toEqual(["a", "b:fee", "c"]);
    expect(folded.reduce((sum, one) => sum + one.amountCents + one.feeCents, 0)).toBe(1421);
  });

  test("money paid out of what a vote set aside went to projects", () => {
    const line = (fund: Fund, spentCents: number) => ({
      fund,
      spentCents,
      receivedCents: 0,
      heldCents: 0,
      promisedShare: 0,
      actualShare: 0,
    });
    const funds = [line("projects", 100), line("staff", 20), line("committed", 300)];
    const budget = aBudget({ spentCents: 420, heldCents: 50, unallocatedCents: 530 });
    const parts = moneyParts({ ...budget, funds });

    expect(parts.map((part) => [part.key, part.cents])).toEqual([
      ["projects", 400],
      ["staff", 20],
      ["marketing", 0],
      ["other", 0],
      ["held", 50],
      ["free", 530],
    ]);
  });
});

describe("what is asked for", () => {
  test.each([
    ["2026-11-21", "2025-12-01"],
    ["2026-12-31", "2026-01-01"],
    ["2026-01-15", "2025-02-01"],
  ])("twelve months up to %s begin on %s", (last, first) => {
    expect(yearBefore(last)).toBe(first);
  });

  test("a search names the accounts that are called so, and no word twice", () => {
    expect(queryOf({ ...NO_FILTERS, text: "salaries" }, null)).toBe("limit=12&q=salaries");
    expect(queryOf({ ...NO_FILTERS, text: "staff" }, null)).toBe(
      "limit=12&q=staff&accounts=expenses%3Astaff",
    );
  });

  test("a query contains only the set filters, escaped", () => {
    expect(queryOf(NO_FILTERS, null)).toBe("limit=12");
    expect(queryOf({ kind: "gift", text: " a&b ", from: "", to: "2026-01-31" }, "x")).toBe(
      "limit=12&kind=gift&q=a%26b&to=2026-01-31&cursor=x",
    );
  });
});
