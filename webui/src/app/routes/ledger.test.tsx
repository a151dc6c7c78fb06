import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { aConfig } from "@/testing/builders";
import { fakeApi, refusal, withStatus, type FakeRequest } from "@/testing/fake-api";
import {
  aBudget,
  aMemberBudget,
  aSalary,
  aTransaction,
  someBudgetDetails,
} from "@/testing/ledger";
import { aProposal, MEMBER_TOKEN } from "@/testing/proposals";
import { expectNoBarriers, renderApp } from "@/testing/render-app";
import { readToken, storeToken } from "@/lib/session/token-storage";

const PAGE = "GET /ledger/transactions?limit=12";
const MONTHS = "GET /impact?from=2025-12-01&to=2026-11-21";

type Answers = Readonly<Record<string, unknown>>;

function openAsVisitor(changes: Answers = {}) {
  const api = fakeApi({
    "GET /user/get-proposals#open": [],
    "GET /config": aConfig(),
    "GET /ledger/budget": aBudget(),
    "GET /ledger/budget?year=2025": aBudget({ year: 2025, availableCents: 500_000 }),
    "GET /impact#years": { archive: [{ from: "2025-01-01" }, { from: "2026-10-01" }] },
    ...changes,
  });
  return { api, ...renderApp("/ledger") };
}

function openAsMember(changes: Answers = {}) {
  storeToken(MEMBER_TOKEN);
  const api = fakeApi({
    "GET /user/get-proposals#open": [],
    "GET /config": aConfig(),
    "GET /ledger/budget": aMemberBudget(),
    "GET /ledger/budget/allocated?year=2026": someBudgetDetails(),
    "GET /impact#years": { archive: [] },
    [MONTHS]: {
      months: [
        { month: "2026-10", pledgesCents: 40_000, giftsCents: 1_000 },
        { month: "2026-11", pledgesCents: 23_000, giftsCents: 0 },
      ],
    },
    [PAGE]: { items: [aTransaction(), aSalary()], next: "2026-11-15.7" },
    [`${PAGE}&cursor=2026-11-15.7`]: {
      items: [aTransaction({ id: "entry3", description: "Oldest gift", kind: "gift" })],
      next: null,
    },
    ...changes,
  });
  return { api, ...renderApp("/ledger") };
}

test("a member sees the vote in progress above the ledger; a visitor does not", async () => {
  const member = openAsMember({ "GET /user/get-proposals#open": [aProposal()] });
  expect(await screen.findByRole("region", { name: "Vote in progress" })).toBeVisible();
  expect(await screen.findByRole("heading", { level: 1, name: "LEDGER" })).toBeVisible();
  member.unmount();

  localStorage.clear();
  const { api } = openAsVisitor();
  await screen.findByRole("row", { name: "Available $8,904" });
  expect(screen.queryByRole("region", { name: "Vote in progress" })).toBeNull();
  expect(api.calls.some(({ path }) => path.includes("get-proposals"))).toBe(false);
});

describe("a payment in another currency", () => {
  test("shows both amounts in its details", async () => {
    const foreign = { currency: "KES", amountMinor: 46_440_000, text: "KES 464,400", rate: "129.00" };
    const items = [aTransaction({ amountCents: -360_000, description: "Payout", foreign })];
    const { user } = openAsMember({ [PAGE]: { items, next: null } });
    await user.click(await screen.findByRole("button", { name: /Payout/ }));

    expect(screen.getByText("$3,600.00 = KES 464,400 at 129.00")).toBeVisible();
  });
});

describe("the ledger for visitors", () => {
  test("three rows per year, in dollars, and the way to the team", async () => {
    openAsVisitor();

    expect(await screen.findByRole("heading", { level: 1, name: "LEDGER" })).toBeVisible();
    expect(await screen.findByRole("row", { name: "Available $8,904" })).toBeVisible();
    expect(screen.getByRole("row", { name: "Allocated $7,123.50" })).toBeVisible();
    expect(screen.getByRole("columnheader", { name: "Per Year" })).toBeVisible();
    expect(screen.queryByRole("button", { name: /Show Details/ })).toBeNull();
    expect(await screen.findByRole("link", { name: "Contact the team" })).toHaveAttribute(
      "href",
      "mailto:hello@jara.example",
    );
    await expectNoBarriers();
  });

  test("the rest is a gate; no call asks for a contributor's data", async () => {
    const { api } = openAsVisitor();

    const text = "The rest of this financial data is available to contributors only.";
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByRole("link", { name: "Login to view" })).toHaveAttribute("href", "/login");
    expect(screen.getByRole("link", { name: "Join from $5 a month" })).toBeVisible();
    expect(screen.getByText(/^every payment in and out since the first day/)).toBeVisible();
    await screen.findByRole("row", { name: "Available $8,904" });
    expect(api.calls.filter(({ path }) => /transactions|months|allocated/.test(path))).toEqual([]);
  });

  test("a chart says what was spent, what is set aside and what is left", async () => {
    openAsVisitor({ "GET /ledger/budget": aBudget({ spentCents: 700_000, heldCents: 12_350 }) });

    const chart = await screen.findByRole("region", { name: "Where the money is" });
    expect(within(chart).getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "$7,000.00 spent",
      "$123.50 set aside for projects that members approved",
      "$1,780.50 not spent or set aside yet",
    ]);
  });

  test("another year can be chosen", async () => {
    const { user } = openAsVisitor();
    await user.selectOptions(await screen.findByLabelText("Year"), "2025");

    expect(await screen.findByRole("row", { name: "Available $5,000" })).toBeVisible();
  });

  test("without a contact email the team page is the contact", async () => {
    openAsVisitor({ "GET /config": aConfig({ contactEmail: null }) });

    expect(await screen.findByRole("link", { name: "Contact the team" })).toHaveAttribute(
      "href",
      "/team",
    );
  });
});

describe("the ledger for members", () => {
  beforeEach(() => void vi.setSystemTime("2026-11-21T12:00:00Z"));
  afterEach(() => void vi.useRealTimers());

  test("a row shows and hides its details", async () => {
    const { user } = openAsMember();
    await user.click(await screen.findByRole("button", { name: "Show Details: Allocated" }));

    const accounts = await screen.findByRole("table", { name: "By account" });
    expect(within(accounts).getByRole("row", { name: "Project: clean water $4,800.00" })).toBeVisible();
    expect(within(accounts).getByRole("row", { name: "Bank charges $200.00" })).toBeVisible();
    expect(within(accounts).getByRole("row", { name: "Insurance $10.00" })).toBeVisible();
    const funds = screen.getByRole("table", { name: "By fund" });
    expect(
      within(funds).getByRole("row", { name: "Projects $5,000.00 $2,123.50 $7,123.50" }),
    ).toBeVisible();
    await expectNoBarriers();
    await user.click(screen.getByRole("button", { name: "Hide: Allocated" }));
    expect(screen.queryByRole("table", { name: "By account" })).toBeNull();
  });

  test("the promised split stands beside the actual one, in words and figures", async () => {
    openAsMember();

    expect(
      await screen.findByRole("img", {
        name: "Promised: 80% to projects, 7% to staff, 9% to marketing, 4% to other costs",
      }),
    ).toBeInTheDocument();
    expect(
      screen.getByRole("img", {
        name: /2026: 76.4% to projects, 11.2% to staff, 8.3% to marketing, 4.1% to other costs/,
      }),
    ).toBeInTheDocument();
    expect(screen.getByText("Committed by vote")).toBeInTheDocument();
  });

  test("a year without spending says so", async () => {
    const funds = aMemberBudget().funds.map((fund) => ({ ...fund, actualShare: 0 }));
    openAsMember({ "GET /ledger/budget": aMemberBudget({ funds }) });

    expect(await screen.findByText("Apart from fees, nothing has been spent or set aside in 2026 yet.")).toBeVisible();
  });

  test("the monthly contributions are a chart with its table", async () => {
    openAsMember();

    const label = "Contributions per month, from $410 in October 2026 to $230 in November 2026.";
    expect(await screen.findByRole("img", { name: label })).toBeInTheDocument();
    expect(screen.getByRole("row", { name: "October 2026 $410" })).toBeInTheDocument();
    expect(screen.getByText("November 2026 is not over yet.")).toBeVisible();
    expect(document.querySelectorAll("path[class*=unfinished]")).toHaveLength(1);
  });

  test("outgoing money is red with a minus, incoming green with a plus; a row opens", async () => {
    const { user } = openAsMember();
    const salary = await screen.findByRole("button", { name: /Field coordinator/ });

    expect(salary).toHaveTextContent("15 NovField coordinatorSee more\u2212$26.00");
    expect(screen.getByText("\u2212$26.00").className).toContain("negative");
    expect(screen.getByText("+$10.00").className).toContain("positive");
    await user.click(salary);
    expect(salary).toHaveTextContent("See less");
    expect(screen.getByText("SAL-0311")).toBeVisible();
    expect(screen.getByText("Expense")).toBeVisible();
    await expectNoBarriers();
    await user.click(salary);
    expect(screen.queryByText("SAL-0311")).toBeNull();
  });

  test("a payment and its card fee are one row, with the year if it is an older one", async () => {
    const payment = aTransaction({ id: "p1", date: "2025-11-18", description: "Gift" });
    const fee = aTransaction({ id: "p1:fee", description: "Fee", amountCents: -59 });
    const { user } = openAsMember({ [PAGE]: { items: [payment, fee], next: null } });
    const row = await screen.findByRole("button", { name: /Gift/ });

    expect(row).toHaveTextContent("18 Nov 2025GiftSee more+$10.00");
    expect(screen.getByText("1 transaction shown")).toBeVisible();
    await user.click(row);
    expect(screen.getByText("\u2212$0.59")).toBeVisible();
    expect(screen.getByText("$9.41 after the fee")).toBeVisible();
  });

  test("the next page is added below", async () => {
    const { user } = openAsMember();
    await user.click(await screen.findByRole("button", { name: "Show more transactions" }));

    expect(await screen.findByRole("button", { name: /Oldest gift/ })).toHaveFocus();
    expect(screen.getByText("Field coordinator")).toBeVisible();
    expect(screen.getByText("3 transactions shown")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Show more transactions" })).toBeNull();
  });

  test("a next page that fails keeps the list and can be retried", async () => {
    const { api, user } = openAsMember();
    api.answer(`${PAGE}&cursor=2026-11-15.7`, refusal(503, "Busy."));
    await user.click(await screen.findByRole("button", { name: "Show more transactions" }));

    expect(await screen.findByText("More transactions did not load.")).toBeVisible();
    expect(screen.getByText("Field coordinator")).toBeVisible();
    expect(screen.getByRole("button", { name: "Show more transactions" })).toBeEnabled();
  });

  test("kind, words and period are asked of the server", async () => {
    const { api, user } = openAsMember();
    api.answer(`${PAGE}&kind=gift&q=water&from=2026-01-01`, { items: [], next: null });
    await user.selectOptions(await screen.findByLabelText("Kind"), "gift");
    await user.type(screen.getByLabelText("Search"), " water ");
    await user.type(screen.getByLabelText("From"), "2026-01-01");
    await user.click(screen.getByRole("button", { name: "Filter" }));

    expect(await screen.findByText("No transactions match.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(await screen.findByText("Field coordinator")).toBeVisible();
    expect(screen.getByLabelText("Search")).toHaveValue("");
  });

  test("a period that ends before it begins is not requested", async () => {
    const { api, user } = openAsMember();
    await user.type(await screen.findByLabelText("From"), "2026-02-01");
    await user.type(screen.getByLabelText("To"), "2026-01-01");
    await user.click(screen.getByRole("button", { name: "Filter" }));

    expect(screen.getByRole("alert")).toHaveTextContent("The end date is before the start date.");
    expect(api.calls.some(({ path }) => path.includes("from=2026-02-01"))).toBe(false);
  });

  test("no transactions, and transactions that do not load, each have their words", async () => {
    const { api, user } = openAsMember({ [PAGE]: refusal(500, "No.") });
    await screen.findByText("The transactions did not load.");
    api.answer(PAGE, { items: [], next: null });
    await user.click(screen.getByRole("button", { name: "Try again" }));

    expect(await screen.findByText("No transactions yet.")).toBeVisible();
  });

  test("the whole ledger is downloaded with the token", async () => {
    const { api, user } = openAsMember();
    vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:ledger");
    const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
    api.answer("GET /ledger/export.csv", new Response("entry,date\n"));
    await user.click(await screen.findByRole("button", { name: "CSV" }));

    await waitFor(() => expect(click).toHaveBeenCalled());
    const call = api.calls.find(({ path }) => path === "/ledger/export.csv");
    expect(call?.headers["token"]).toBe(MEMBER_TOKEN);
    api.answer("GET /ledger/export.json", refusal(500, "No."));
    await user.click(screen.getByRole("button", { name: "JSON" }));
    expect(await screen.findByText("No.")).toBeVisible();
  });

  test("a published plan stands beside the books", async () => {
    const row = { section: "expenses", label: "Staff", account: "expenses:staff", fund: "staff" } as const;
    const figures = { plannedCents: 10_000, actualCents: 2_500, forecastCents: 5_000 };
    const unplanned = { plannedCents: null, usedShare: null, account: "income:gifts", fund: null };
    const planned = { ...row, ...figures, differenceCents: -7_500, usedShare: 25 };
    const plan = [{ ...planned, ...unplanned, section: "income" }, planned];
    openAsMember({ "GET /ledger/budget": aMemberBudget({ plan }) });

    expect(await screen.findByRole("heading", { name: "The plan of 2026" })).toBeVisible();
    expect(screen.getByRole("row", { name: "Staff (Staff) $100.00 $25.00 25%" })).toBeVisible();
    expect(screen.getByRole("row", { name: "Gifts Not planned $25.00 –" })).toBeVisible();
  });

  test("after an expired session the visitor's gate is shown", async () => {
    openAsMember({
      "GET /ledger/budget": ({ headers }: FakeRequest) =>
        headers["token"] === undefined ? aBudget() : withStatus(401, { message: "No." }),
    });

    expect(await screen.findByRole("link", { name: "Login to view" })).toBeVisible();
    expect(readToken()).toBeNull();
    expect(await screen.findByRole("row", { name: "Available $8,904" })).toBeVisible();
  });
});
