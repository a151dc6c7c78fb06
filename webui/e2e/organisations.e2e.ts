import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "vitest";
import { findBrokenText } from "./support/broken-text.ts";
import { findCutText } from "./support/cut-text.ts";
import { environment, runJara } from "./support/jara.ts";
import { openSite } from "./support/journeys.ts";
import type { Organisation } from "./support/organisation.ts";
import { OWN_STYLES, withOwnStyle } from "./support/own-style.ts";
import { everyAddress, MEMBER_PAGES, openPage } from "./support/pages.ts";
import { until } from "./support/wait-until.ts";
import type { Visit } from "./support/visit.ts";

// Organisations of other sizes than the sample: one member of everything, and 2,000 members with $1,234,567.

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PHONE = [390];
const FRENCH = { "Accept-Language": "fr" };
/** One of a thing, and the word for several: "1 changemakers". */
const SEVERAL = /(?<![\p{L}\d.,:\u2212-]|[\d#][\u00A0\u202F ])1[\u00A0\u202F ](?:active )?(?!dans|mois|plus|yes|has|versés)\p{L}{2,}s(?!\p{L})|sur 1[\u00A0 ](?:\p{L}+[\u00A0 ])*ont(?!\p{L})/gu;

/** A number of four digits or more without groups; years have none, nor has the headline's 1457. */
const UNGROUPED = /(?<![\p{L}\d.,:/#@+=-]|\d[\u00A0\u202F ])(?!(?:19|20)\d\d(?!\d)|1457)\d{4,}(?![\p{L}\d:/@-]|[.,]\d|[\u00A0\u202F ]\d)/gu;

for (const language of ["en", "fr"]) {
  const one = openSite({}, (context) => context.setExtraHTTPHeaders({ "Accept-Language": language }), undefined, "block", "empty");
  one.journey(`one of everything is written as one, and no part is a heading alone, ${language}`, async (visit, site) => {
    const member = await withOneOfEverything(site);
    await expectNothingOfSeveral(visit, site, everyAddress());
    await visit.signInAs(member);
    await expectNothingOfSeveral(visit, site, Object.values(MEMBER_PAGES));
  }, PHONE);
}

const bare = openSite({}, undefined, undefined, "block", "empty");
bare.journey("no part of an organisation without content is a heading alone", async (visit, site) => {
  await expectNothingOfSeveral(visit, site, everyAddress().filter((address) => !address.includes(":id")));
}, PHONE);

const large = openSite({}, (context) => context.setExtraHTTPHeaders(FRENCH), undefined, "block", growLarge);
large.journey("2,000 members and $1,234,567 have room on a phone, also with large text", async (visit, site) => {
  await expectRoom(visit, site, everyAddress());
  await visit.signInAs(await site.ama());
  await expectRoom(visit, site, Object.values(MEMBER_PAGES));
}, PHONE);

large.journey("figures of an organisation of 2,000 members are grouped", async (visit, site) => {
  for (const language of ["en", "fr"]) {
    await visit.page.setExtraHTTPHeaders({ "Accept-Language": language });
    await expectGrouped(visit, site, everyAddress());
  }
  await visit.signInAs(await site.ama());
  await expectGrouped(visit, site, Object.values(MEMBER_PAGES));
}, PHONE);

/** A project with a milestone, an open vote, and a member. */
async function withOneOfEverything(site: Organisation) {
  const project = {
    title: `A well of ${Date.now()}`, location: "TG", status: "In Progress", category: "water", completion: "2027", progress: 10,
    summary: "A pump.", fundingGoalCents: 500, story: "<p>Water.</p>",
    milestones: [{ id: "survey", date: "2026-11-02", title: "Survey", costCents: 100, completed: true }],
  };
  const file = path.join(site.folder, "project.json");
  await writeFile(file, JSON.stringify(project));
  await site.jara("projects", "add", file, "--publish");
  await site.openProposal("A roof", new Date(Date.now() + 30 * 3600 * 1000));
  return await site.newMember();
}

async function expectNothingOfSeveral(visit: Visit, site: Organisation, addresses: readonly string[]): Promise<void> {
  // The examples of pages with ids are of the sample.
  visit.expectMissingFiles();
  for (const address of addresses) {
    await openPage(visit, site, address);
    const { words, alone } = await visit.page.evaluate(() => {
      const labels = [...document.querySelectorAll("[aria-label]")].map((element) => element.getAttribute("aria-label") ?? "");
      const sections = [...document.querySelectorAll("main section")].filter((section) => section.checkVisibility());
      const empty = sections.filter((section) => {
        const heading = section.querySelector("h1, h2, h3");
        return heading !== null && section.textContent.trim() === heading.textContent.trim() && section.querySelector("img, svg, input") === null;
      });
      return { words: [document.body.innerText, ...labels].join("\n"), alone: empty.map(({ textContent }) => textContent) };
    });
    expect({ address, several: words.match(SEVERAL) ?? [], alone }).toEqual({ address, several: [], alone: [] });
  }
}

async function expectGrouped(visit: Visit, site: Organisation, addresses: readonly string[]): Promise<void> {
  visit.expectMissingFiles();
  for (const address of addresses) {
    await openPage(visit, site, address);
    const text = await visit.page.locator("body").innerText();
    expect({ address, ungrouped: text.match(UNGROUPED) ?? [] }).toEqual({ address, ungrouped: [] });
  }
}

async function expectRoom(visit: Visit, site: Organisation, addresses: readonly string[]): Promise<void> {
  visit.expectMissingFiles();
  for (const address of addresses) {
    await openPage(visit, site, address);
    for (const style of ["", OWN_STYLES[0].style]) {
      await withOwnStyle(visit.page, style, () =>
        until(async () => {
          const faults = [...(await findCutText(visit.page)), ...(await findBrokenText(visit.page))];
          expect(faults.join("\n"), `${address} with ${style}`).toBe("");
        }),
      );
    }
  }
}

/** Creates an organisation with 2,000 members and $1,234,567, and returns its folder. */
async function growLarge(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "jara-e2e-large-"));
  // 2,000 givers, two payments each, with 14 postings.
  const words = ["-m", "tests.benchmarks.grown_organisation", folder, String(2000 * 2 * 14), "2", "0"];
  await promisify(execFile)("python", words, { cwd: ROOT, env: environment() });
  const grant = ["--debit", "assets:bank", "--credit", "income:grants", "--fund", "projects", "--amount", "1142897", "--kind", "grant"];
  await runJara(folder, ["--db", "jara.db", "ledger", "post", ...grant, "--description", "A bequest"]);
  return folder;
}
