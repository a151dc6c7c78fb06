import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { openSite, WIDTHS } from "./support/journeys.ts";
import { until } from "./support/wait-until.ts";

const { journey } = openSite();

journey("a visitor sees three rows, and what contributors see besides", async (visit) => {
  await visit.go("/ledger");
  for (const row of ["Available", "Allocated", "Unallocated"]) {
    await visit.page.getByRole("row", { name: row, exact: false }).first().waitFor();
  }
  await visit.sees("Per Year");
  expect(await visit.button(/Show Details/).count()).toBe(0);
  await visit.sees("The rest of this financial data is available to contributors only.");
  const calls = await visit.page.evaluate(() =>
    performance.getEntriesByType("resource").map(({ name }) => name),
  );
  expect(calls.filter((name) => name.includes("/ledger/transactions"))).toEqual([]);
  await visit.link("Login to view").click();
  await visit.arrivesAt("/login");
});

journey("a blurred overlay covers rows that hold nothing", async (visit) => {
  const read = async (text: string, login: string) => {
    const gate = visit.page.getByRole("region", { name: text });
    await gate.getByRole("heading", { name: text }).waitFor();
    await gate.getByRole("link", { name: login }).waitFor();
    const rows = visit.page.locator("[inert][aria-hidden=true]");
    expect(await rows.evaluate((element) => getComputedStyle(element).filter)).toMatch(/^blur\(/);
    expect((await rows.locator("> *").count()) > 4, "rows").toBe(true);
    const [under, card] = [await rows.boundingBox(), await gate.boundingBox()];
    expect(under !== null && card !== null && under.y < card.y, "the card is over them").toBe(true);
    expect(under!.y + under!.height).toBeGreaterThan(card!.y + card!.height);
    // Neither text nor a picture, and no attribute but what hides and styles them.
    const inside = await rows.evaluate((element) =>
      [...element.querySelectorAll("*")].flatMap((one) => [...one.attributes].map(({ name }) => name)),
    );
    expect([await rows.textContent(), new Set(inside)]).toEqual(["", new Set(["class"])]);
    await visit.looksRight();
    await visit.looksRightInTheDark();
  };
  await visit.go("/ledger");
  await read("The rest of this financial data is available to contributors only.", "Login to view");
  await visit.page.emulateMedia({ forcedColors: "active" });
  expect(await visit.page.locator("[inert][aria-hidden=true]").isVisible()).toBe(false);
  await visit.sees("The rest of this financial data is available to contributors only.");
  await visit.page.emulateMedia({ forcedColors: null });
  await visit.go("/ledger?lang=fr");
  await read("Le reste de ces données financières est réservé aux contributeurs.", "Se connecter pour voir");
}, WIDTHS);

journey("what the visitor's card names is for contributors", async (visit, site) => {
  await visit.go("/ledger");
  const card = visit.page.getByRole("region", { name: /contributors only/ });
  expect(await card.getByRole("listitem").allTextContents()).toEqual([
    "every payment in and out since the first day, with its fee and funds",
    "what each row above is made of, by fund and by account",
    "the whole ledger as a file, in four formats",
  ]);
  // Each is behind a call that answers nobody without a token.
  const files = ["csv", "json", "journal", "beancount"].map((ending) => `export.${ending}`);
  for (const call of ["transactions", "budget/available", ...files]) {
    const { status } = await fetch(`${site.origin}/api/ledger/${call}`);
    expect([call, status]).toEqual([call, 401]);
  }
});

journey("a member opens the rows of the budget", async (visit, site) => {
  await visit.signInAs(await site.ama());
  await visit.go("/ledger");
  for (const row of ["Available", "Allocated", "Unallocated"]) {
    await visit.press(`Show Details: ${row}`);
  }
  await visit.looksRight();
  await visit.press("Hide: Available");
  await visit.button("Show Details: Available").waitFor();
});

journey("a member never sees the visitor's page before hydration", async (visit, site) => {
  await visit.signInAs(await site.ama());
  const script = new AbortController();
  await visit.page.route("**/assets/*.js", async (route) => {
    if (!script.signal.aborted) await once(script.signal, "abort");
    await route.continue();
  });
  const text = "The rest of this financial data is available to contributors only.";
  await visit.page.goto(`${site.origin}/ledger`, { waitUntil: "commit" });
  await visit.page.getByRole("heading", { name: "LEDGER" }).waitFor();
  expect(await visit.page.getByText(text).isVisible(), "the gate").toBe(false);
  script.abort();
  await visit.button("Show Details: Available").waitFor();
  expect(await visit.page.getByText(text).count()).toBe(0);
});

journey("a member searches the transactions and reads one", async (visit, site) => {
  await visit.signInAs(await site.ama());
  await visit.go("/ledger");
  const list = visit.page.getByRole("region", { name: "Real-time Transaction" }).getByRole("listitem");
  const before = await list.count();
  await visit.press("Show more transactions");
  await until(async () => expect(await list.count()).toBeGreaterThan(before));
  await visit.field("Kind").selectOption("Payments to projects");
  await visit.press("Filter");
  await visit.button("Clear filters").waitFor();
  await visit.settle();
  await list.first().getByText("See more").click();
  await list.first().getByText("Expense").waitFor();
  expect(await list.first().textContent()).toMatch(/[-−]\$[\d,]+\.\d{2}/);
  await visit.looksRight();
  await list.first().getByText("See less").click();
  await visit.field("Search").fill("nothing is called so");
  await visit.press("Filter");
  await visit.sees("No transactions match.");
  await visit.press("Clear filters");
  await visit.sees(/transactions shown/);
});

journey("a member exports the ledger", async (visit, site) => {
  await visit.signInAs(await site.ama());
  await visit.go("/ledger");
  const [download] = await Promise.all([visit.page.waitForEvent("download"), visit.press("CSV")]);
  const csv = await readFile(await download.path(), "utf8");
  expect(csv.split(/\r?\n/)[0]).toBe("entry,date,description,account,fund,amount,reference");
});

journey("a member sees where their dollars went", async (visit, site) => {
  await visit.signInAs(await site.ama());
  await visit.go("/dashboard");
  await visit.link("Where my money went").click();
  await visit.arrivesAt("/my-impact");
  await visit.looksRight();
});
