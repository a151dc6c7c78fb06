import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { expect } from "vitest";
import { openSite, USUAL_LANGUAGES, WIDTHS } from "./support/journeys.ts";
import type { Organisation } from "./support/organisation.ts";
import { everyAddress, MEMBER_PAGES, openPage } from "./support/pages.ts";

// What the server sends is the organisation's own content or nothing: samples are where they were
// seeded, and nowhere once they are removed.

const DATA = fileURLToPath(new URL("../../data", import.meta.url));
const FILES = ["projects", "team", "faqs", "grants", "donations", "roadmap", "claims", "proposals", "past-proposals"];
const TOLD = new Set(["title", "name", "project", "question", "summary", "label", "content", "answer"]);
// Shorter texts, such as "Africa", are words of the site too.
const LENGTH_MIN = 15;
const UNKNOWN = ["/no-such-page", "/projects/none", "/proposals/none", "/ledger/entries/aaaaaaaaaaaaaaaa"];
const PAGES = [...new Set([...everyAddress().filter((address) => !address.includes(":")), ...Object.values(MEMBER_PAGES), ...UNKNOWN])];

const empty = openSite({}, undefined, undefined, "block", "empty");
const joined = openSite({}, undefined, undefined, "block", "empty");
const seeded = openSite({}, undefined, undefined, "block", "empty");

joined.journey("an empty organisation sends no sample, and its pages hold what its API says", async (visit, site) => {
  const samples = await sampleTexts();
  for (const language of USUAL_LANGUAGES) {
    for (const address of [...PAGES, ...(await otherAddresses(site))]) {
      const text = await textAt(site, address, language);
      expect({ address, language, samples: samples.filter((one) => text.includes(one)) })
        .toEqual({ address, language, samples: [] });
      for (const [key, sent] of Object.entries(answersIn(text))) {
        if (key.includes("#")) continue;
        const told = JSON.parse(await textAt(site, `/api${key}`, language)) as unknown;
        expect({ address, key, sent: steady(sent) }).toEqual({ address, key, sent: steady(told) });
      }
    }
  }
  visit.expectMissingFiles();
  const showsNone = async (address: string) => {
    await openPage(visit, site, address);
    const shown = await visit.page.locator("body").innerText();
    expect({ address, samples: samples.filter((one) => shown.includes(one)) }).toEqual({ address, samples: [] });
  };
  for (const address of PAGES) await showsNone(address);
  await visit.signInAs(await site.newMember());
  for (const address of Object.values(MEMBER_PAGES)) await showsNone(address);
}, [390]);

empty.journey("an empty organisation's home stays still and shows no part without content", async (visit) => {
  await visit.go("/");
  await visit.settle();
  await visit.stayedStill();
  await visit.page.getByRole("contentinfo").scrollIntoViewIfNeeded();
  await visit.settle();
  expect(await visit.page.getByRole("heading", { name: "Common questions" }).count()).toBe(0);
  // 80 % of $10 from each.
  for (const paid of ["$80 a month", "$800 a month", "$8,000 a month"]) await visit.sees(paid);
  await visit.looksRight();
}, WIDTHS);

empty.journey("each empty page says what comes there", async (visit) => {
  const invitations = {
    "/projects": "Each project is listed here",
    "/team": "with their names and roles.",
    "/grants": "Each grant is listed here",
    "/donations": "Each donation is listed here",
    "/faqs": "Answers about money, votes and joining",
    "/proposals": "Each proposal is listed here",
    "/impact": "It begins with the first payment:",
  };
  for (const [address, text] of Object.entries(invitations)) {
    await visit.go(address);
    await visit.sees(text);
    await visit.looksRight();
  }
});

seeded.journey("what is published is in the page before any script, seeded samples come and go", async (visit, site) => {
  const file = path.join(site.folder, "own.json");
  await writeFile(file, JSON.stringify({ name: "Adaeze Okonkwo-Tremblay", role: "Chair", group: "trustees" }));
  await site.jara("team", "add", file);
  await site.jara("team", "publish", "adaeze-okonkwo-tremblay");
  await writeFile(file, JSON.stringify({ question: "Who keeps the books of this place?", answer: "<p>Two of us.</p>", onHome: true }));
  await site.jara("faqs", "add", file);
  await site.jara("faqs", "publish", "who-keeps-the-books-of-this-place");
  for (const address of ["/", "/team"]) {
    expect(await textAt(site, address, "en"), address).toContain("Adaeze Okonkwo-Tremblay");
  }
  for (const address of ["/", "/faqs"]) {
    expect(await textAt(site, address, "fr"), address).toContain("Who keeps the books of this place?");
  }
  await visit.go("/team");
  await visit.sees("Adaeze Okonkwo-Tremblay");

  const samples = await sampleTexts();
  await site.jara("samples", "load");
  for (const address of ["/", "/team", "/faqs", "/grants", "/projects", "/donations", "/why-jara-exists", "/proposals"]) {
    const text = await textAt(site, address, "en");
    expect(samples.filter((one) => text.includes(one)).length, address).toBeGreaterThan(0);
  }
  await site.jara("samples", "remove", "--yes");
  // The public log forgets nothing.
  const others = (await otherAddresses(site)).filter((address) => !address.startsWith("/api/proofs/"));
  for (const address of [...PAGES, ...others]) {
    const text = await textAt(site, address, "en");
    expect({ address, samples: samples.filter((one) => text.includes(one)) }).toEqual({ address, samples: [] });
  }
  for (const format of ["md", "html", "json", "csv"]) {
    const report = await site.jara("report", "impact", "--year", "this-year", "--format", format);
    expect({ format, samples: samples.filter((one) => report.includes(one)) }).toEqual({ format, samples: [] });
  }
  expect(await textAt(site, "/team", "en")).toContain("Adaeze Okonkwo-Tremblay");
}, [390]);

/** What the server sends beside pages: each call that needs no id, and what other programs read. */
async function otherAddresses(site: Organisation): Promise<string[]> {
  const { paths: calls } = JSON.parse(await textAt(site, "/api/openapi.json", "en")) as { paths: Record<string, object> };
  const read = Object.entries(calls).filter(([address, call]) => "get" in call && !address.includes("{"));
  expect(read.length, "calls that read").toBeGreaterThan(30);
  return [...read.map(([address]) => address), "/sitemap.xml", "/robots.txt", "/manifest.webmanifest", "/log/leaves/0"];
}

async function textAt(site: Organisation, address: string, language: string): Promise<string> {
  const answer = await fetch(`${site.origin}${address}`, { headers: { "accept-language": language } });
  return await answer.text();
}

/** The answers of the API in a page. */
function answersIn(page: string): Record<string, unknown> {
  const blocks = page.matchAll(/<script type="application\/json" id="(?:page|live)-data">(.*?)<\/script>/gs);
  return Object.assign({}, ...[...blocks].map(([, json = ""]) => JSON.parse(json) as object)) as Record<string, unknown>;
}

/** An answer without the moment at which it was made. */
function steady(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer).replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"then"')) as unknown;
}

/** The texts of data/ that no site has by itself, in every language. */
async function sampleTexts(): Promise<string[]> {
  const files = await Promise.all(FILES.map((name) => readFile(path.join(DATA, `${name}.yaml`), "utf8")));
  return [...new Set(files.flatMap((file) => textsIn(parse(file) as unknown)))];
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === "string"
      ? TOLD.has(key) && inner.length >= LENGTH_MIN && !inner.includes("{") ? [inner] : []
      : textsIn(inner),
  );
}
