import { expect } from "vitest";
import { openSite } from "./support/journeys.ts";
import type { Visit } from "./support/visit.ts";

const { journey } = openSite();

journey("a figure that two public pages show is the same on both", async (visit) => {
  const home = await wordsOf(visit, "/");
  const about = await wordsOf(visit, "/why-jara-exists");
  const donations = await wordsOf(visit, "/donations");
  const impact = await wordsOf(visit, "/impact?period=all");

  const deployed = figure(home, "Cash deployed");
  expect(figure(about, "Capital deployed")).toBe(deployed);
  expect(figure(donations, "Total funds disbursed")).toBe(deployed);
  expect(figure(about, "Monthly income")).toBe(figure(home, "Monthly contributions"));
  const people = figure(home, "Active changemakers");
  expect(figure(about, "Total Contributors")).toBe(people);
  expect(home).toContain(`${people} active changemakers`);
  expect(figure(home, "grants; of the"), "the sentence of the headline").toBe(deployed);
  expect(figure(home, "members voted on")).toMatch(/\d/);
  expect(figure(impact, "Paid pledges")).toBe(people);
  expect(figure(impact, "Cash on hand")).toBe(figure(home, "Cash on hand"));

  const project = await wordsOf(visit, "/projects/clean-water-boreholes");
  const vote = await wordsOf(visit, "/proposals/two-boreholes-near-kondoa");
  const paid = figure(project, "Fund capital used");
  expect(figure(vote, "Paid so far")).toBe(paid);
  expect(figure(project, "Total paid")).toBe(`${paid}.00`);
  expect(figure(impact, "ProjectsClean water boreholes Sample data")).toBe(paid);
});

journey("the impact report opens on the running year and offers all time", async (visit) => {
  await visit.go("/impact");
  await visit.sees("This period is not over. These are the figures so far.");
  await visit.page.getByRole("heading", { name: `Year ${new Date().getUTCFullYear()}` }).waitFor();
  await visit.sees("Spent or set aside");
  await visit.field("Show the report for").selectOption("All time");
  await visit.arrivesAt("/impact?period=all");
  await visit.page.getByRole("heading", { name: "All time" }).waitFor();
  await visit.fitsEverywhere();
});

journey("a project has one name in every list, and every row leads somewhere", async (visit) => {
  await visit.go("/projects");
  const more = visit.button("Load More Projects");
  // The button goes with the last press, perhaps between the question and the click.
  while (await more.isVisible()) await more.click({ timeout: 2000 }).catch(() => undefined);
  const cards = visit.page.getByRole("main").locator("a:has(h2)");
  const titles = new Map(
    await cards.evaluateAll((all) =>
      all.map((card) => [card.getAttribute("href") ?? "", card.querySelector("h2")?.textContent ?? ""] as const),
    ),
  );
  expect(titles.size).toBe(9);
  for (const [path, rows, ownNames] of [
    ["/grants", "ul > li:has(h2)", 1],
    ["/donations", "ul > li:has(.code)", 1],
  ] as const) {
    await visit.go(path);
    const links = await visit.page
      .getByRole("main")
      .locator(rows)
      .evaluateAll((all) => all.map((row) => [...row.querySelectorAll("a")].map((a) => [a.getAttribute("href"), a.textContent])));
    expect(links.length, path).toBeGreaterThan(3);
    expect(links.filter((row) => row.length !== 1), `rows of ${path} without a link`).toEqual([]);
    const named = links.flat().filter(([href]) => titles.has(href ?? ""));
    expect(named.map(([, name]) => name)).toEqual(named.map(([href]) => titles.get(href ?? "")));
    expect(links.length - named.length, `rows of ${path} that paid for no project`).toBe(ownNames);
    await visit.looksRight();
  }
  const impact = await wordsOf(visit, "/impact?period=all");
  for (const title of titles.values()) expect(impact).toContain(title);
  expect(impact).not.toContain("Library shelves and a roof");
});

/** What a page says, on one line. */
async function wordsOf(visit: Visit, path: string): Promise<string> {
  await visit.go(path);
  const words = (await visit.page.getByRole("main").textContent()) ?? "";
  return words.replaceAll(/\s+/g, " ");
}

/** The first amount or number after a label. */
function figure(words: string, label: string): string {
  const found = new RegExp(`${escaped(label)}\\s*(\\$?\\d{1,3}(?:,\\d{3})*(?:\\.\\d\\d)?)`).exec(words);
  expect(found, `${label} in: ${words.slice(0, 400)}`).not.toBeNull();
  return found?.[1] ?? "";
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
