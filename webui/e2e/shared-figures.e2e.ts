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
  expect(figure(impact, "Changemakers")).toBe(people);
  expect(figure(impact, "Cash on hand")).toBe(figure(home, "Cash on hand"));

  const project = await wordsOf(visit, "/projects/clean-water-boreholes");
  const vote = await wordsOf(visit, "/proposals/two-boreholes-near-kondoa");
  const paid = figure(project, "Fund capital used");
  expect(figure(vote, "Paid so far")).toBe(paid);
  expect(figure(project, "Total paid")).toBe(`${paid}.00`);
  expect(figure(impact, "ProjectsClean water boreholes (sample)")).toBe(paid);
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
