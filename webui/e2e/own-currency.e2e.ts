import { expect } from "vitest";
import { GOOD_CARD, introduceSomebody, seesDashboardSoon, typeCard } from "./support/joining.ts";
import { openSite } from "./support/journeys.ts";

const { journey } = openSite({}, undefined, undefined, "block", "euro");

const PAGES = [
  "/", "/why-jara-exists", "/how-jara-works", "/faqs", "/projects", "/projects/clean-water-boreholes",
  "/grants", "/donations", "/donate", "/impact", "/proposals", "/ledger", "/terms", "/join",
];
const DOLLARS = /[^\n]*(?:\$|USD|dollar|\{\{)[^\n]*/i;

journey("somebody joins with euros", async (visit) => {
  const { firstname } = await introduceSomebody(visit);
  await visit.field("Amount in euros").fill("4");
  await visit.sees("The minimum pledge is €5.");
  await visit.press("€20");
  await visit.field(/^Today/).check();
  await visit.looksRight();
  await visit.press("Next");
  await visit.sees(/You will be charged €20\.00 today/);
  await typeCard(visit, GOOD_CARD);
  await visit.press("Join Jara");
  await seesDashboardSoon(visit, firstname);
  await visit.sees("€20");
  await visit.looksRight();
});

journey("a gift is typed with or without the sign", async (visit) => {
  await visit.go("/donate");
  for (const typed of ["12.50", "€12.50", "12.50 EUR"]) {
    await visit.field("Amount in euros").fill(typed);
    await visit.button("Donate €12.50").waitFor();
  }
  await visit.field("Amount in euros").fill("$12.50");
  expect(await visit.button("Donate €12.50").count()).toBe(0);
});

journey("no page shows another currency, in either language, with scripts or without", async (visit, { origin }) => {
  for (const address of PAGES) {
    for (const language of ["en", "fr"]) {
      const page = `${address}?lang=${language}`;
      const written = await visit.page.request.get(`${origin}${page}`);
      await visit.go(page);
      const text = await visit.page.evaluate(() => document.body.innerText);
      expect(DOLLARS.exec(text)?.[0] ?? "", page).toBe("");
      expect((await written.text()).replaceAll(/<(script|style)\b.*?<\/\1>/gs, "")).not.toMatch(/\$\d|\d\u00a0\$|USD|\{\{/);
    }
  }
});
