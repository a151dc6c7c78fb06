import { describe, expect, test } from "vitest";
import { accountName } from "./account-name";
import { yearBefore } from "./api";
import { fundName } from "./fund-name";
import { NO_FILTERS, queryOf } from "./use-transactions";

describe("the ledger in words", () => {
  test.each([
    ["income:pledges", "Monthly contributions"],
    ["expenses:projects:clean-water", "Project: clean water"],
    ["expenses:grants:cold-chain", "Grant: cold chain"],
    ["liabilities:suspense", "Suspense"],
    ["equity", "Equity"],
  ])("the account %s is called %s", (account, name) => {
    expect(accountName(account)).toBe(name);
  });

  test("an unknown fund keeps its own name", () => {
    expect([fundName("other"), fundName("reserve")]).toEqual(["Other costs", "reserve"]);
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

  test("a query contains only the set filters, escaped", () => {
    expect(queryOf(NO_FILTERS, null)).toBe("limit=12");
    expect(queryOf({ kind: "gift", text: " a&b ", from: "", to: "2026-01-31" }, "x")).toBe(
      "limit=12&kind=gift&q=a%26b&to=2026-01-31&cursor=x",
    );
  });
});
