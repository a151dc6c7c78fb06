import type { Page } from "playwright-core";
import { expect } from "vitest";
import { figuresOf, isKept } from "./support/kept.ts";
import { openSite } from "./support/journeys.ts";
import type { Organisation } from "./support/organisation.ts";
import { Relay } from "./support/relay.ts";
import type { Visit } from "./support/visit.ts";
import { until } from "./support/wait-until.ts";

// What the service worker (public/worker.js) keeps, with a silent network, several tabs and redeploys.

const { journey } = openSite({}, undefined, undefined, "allow");
const NOTICE = "Offline. Figures as of";
const HOME_HEADING = "main h1";

journey("a network that never answers gives way to what is kept, and comes back by itself", async (visit, site) => {
  await withRelay(visit, site, async (relay) => {
    await visit.page.goto(`${relay.origin}/ledger`);
    await isKept(visit.page, "/ledger");
    await visit.settle();
    const figures = await figuresOf(visit.page);
    expect(figures.length, "figures of the ledger").toBeGreaterThan(3);
    relay.isSilent = true;
    const began = Date.now();
    await visit.page.reload({ waitUntil: "commit" });
    await visit.sees(NOTICE);
    expect(Date.now() - began, "milliseconds until something is shown").toBeLessThan(12_000);
    await until(async () => expect(await figuresOf(visit.page)).toEqual(figures));
    relay.isSilent = false;
    // The first reload may meet a connection that still hangs; the next comes a minute later.
    await visit.page.getByText(NOTICE).waitFor({ state: "detached", timeout: 90_000 });
    await visit.page.getByRole("heading", { name: "LEDGER" }).waitFor();
  });
});

journey("a page that is not kept leads offline to the first page, which says so", async (visit) => {
  await visit.go("/");
  await isKept(visit.page, "/");
  visit.expectLosses(/./);
  await visit.page.context().setOffline(true);
  await visit.page.goto(visit.page.url().replace(/\/$/, "/team"));
  await visit.sees(NOTICE);
  expect(visit.address).toBe("/");
});

journey("a page shown offline comes back by itself after a single visit", async (visit) => {
  await visit.go("/");
  await isKept(visit.page, "/");
  visit.expectLosses(/./);
  const browser = await visit.page.context().newCDPSession(visit.page);
  await browser.send("Network.clearBrowserCache");
  await visit.page.context().setOffline(true);
  await visit.page.reload();
  await visit.sees(NOTICE);
  await visit.page.context().setOffline(false);
  await visit.page.getByText(NOTICE).waitFor({ state: "detached" });
});

journey("two tabs show what is kept without a network", async (visit, site) => {
  const other = await visit.page.context().newPage();
  await visit.go("/");
  await isKept(visit.page, "/");
  await other.goto(`${site.origin}/ledger`);
  await isKept(other, "/ledger");
  visit.expectLosses(/./);
  await visit.page.context().setOffline(true);
  await Promise.all([visit.page.reload(), other.reload()]);
  await visit.sees(NOTICE);
  await other.getByText(NOTICE).waitFor();
  await other.getByRole("heading", { name: "LEDGER" }).waitFor();
  await other.close();
});

journey("a redeploy replaces what is kept once it is there whole", async (visit, site) => {
  await withRelay(visit, site, async (relay) => {
    visit.expectMissingFiles();
    const other = await visit.page.context().newPage();
    await visit.page.goto(relay.origin);
    await isKept(visit.page, "/");
    await other.goto(`${relay.origin}/ledger`);
    await isKept(other, "/ledger");
    relay.isNewBuild = true;
    relay.hasScripts = false;
    await visit.page.goto(relay.origin);
    await visit.page.locator(HOME_HEADING).waitFor();
    relay.isSilent = true;
    // Half of the new build is worth nothing: the pages of before stand with their own scripts.
    await other.reload({ waitUntil: "commit" });
    await other.getByText(NOTICE).waitFor();
    await other.getByRole("heading", { name: "LEDGER" }).waitFor();
    expect(await buildsKept(other)).toEqual(["old"]);

    relay.isSilent = false;
    relay.hasScripts = true;
    await Promise.all([visit.page.goto(relay.origin), other.reload()]);
    await until(async () => expect(await buildsKept(other)).toEqual(["new"]));
    await isKept(visit.page, "/");
    relay.isSilent = true;
    await visit.page.reload({ waitUntil: "commit" });
    await visit.sees(NOTICE);
    await visit.page.locator(HOME_HEADING).waitFor();
    await other.close();
  });
});

journey("a member offline sees public figures or is told so, and nothing private is kept", async (visit, site) => {
  const member = await site.newMember({ firstname: "Zenobia", lastname: "Quartey" });
  await visit.signInAs(member);
  await visit.go("/");
  await isKept(visit.page, "/");
  for (const path of ["/dashboard", "/dashboard?tab=account", "/my-impact", "/ledger", "/sandbox/billing", "/proposals"]) {
    await visit.go(path);
  }
  await isKept(visit.page, "/ledger");
  expect(await keptWith(visit.page, [member.firstname, member.lastname, member.email])).toEqual([]);
  visit.expectLosses(/./);
  await visit.page.context().setOffline(true);
  await visit.page.goto(`${site.origin}/proposals`);
  await visit.sees(NOTICE);
  await visit.page.getByRole("heading", { name: "Beekeeping kits for 24 farming families" }).first().waitFor();
  await visit.page.goto(`${site.origin}/ledger`);
  await visit.sees(NOTICE);
  await until(async () => expect((await figuresOf(visit.page)).length).toBeGreaterThan(2));
  for (const path of ["/dashboard", "/my-impact"]) {
    await visit.page.goto(`${site.origin}${path}`);
    await visit.sees(NOTICE);
    await visit.sees(/did not load/);
  }
  await visit.page.context().setOffline(false);
  // The page loads again by itself.
  await visit.page.getByText(NOTICE).waitFor({ state: "detached" });
  await visit.settle();
  await visit.go("/dashboard");
  await visit.press("Logout");
  await visit.arrivesAt("/");
  expect(await keptWith(visit.page, [member.firstname, member.lastname, member.email])).toEqual([]);
  const stored = await visit.page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(stored).not.toMatch(/Zenobia|Quartey|efua/);
});

async function withRelay(visit: Visit, site: Organisation, way: (relay: Relay) => Promise<void>): Promise<void> {
  const relay = await Relay.before(site.origin);
  visit.allow(relay.origin);
  visit.expectLosses(/./);
  try {
    await way(relay);
  } finally {
    relay.stop();
  }
}

/** Which builds the stored pages are of: each page belongs to one, and has its main script beside it. */
async function buildsKept(page: Page): Promise<string[]> {
  return await page.evaluate(async () => {
    const builds = new Set<string>();
    for (const name of await caches.keys()) {
      const kept = await caches.open(name);
      for (const { url } of await kept.keys()) {
        const answer = await kept.match(url, { ignoreVary: true });
        if (answer?.headers.get("content-type")?.startsWith("text/html") !== true) continue;
        const main = /\/assets\/main-[\w-]+\.js/.exec(await answer.text())?.[0] ?? "";
        const isWhole = main === name && (await kept.match(main)) !== undefined;
        builds.add(isWhole ? (main.endsWith("v2.js") ? "new" : "old") : "mixed");
      }
    }
    return [...builds];
  });
}

async function keptWith(page: Page, words: readonly string[]): Promise<string[]> {
  return await page.evaluate(async (forbidden) => {
    const found: string[] = [];
    for (const name of await caches.keys()) {
      const kept = await caches.open(name);
      for (const { url } of await kept.keys()) {
        const text = (await (await kept.match(url, { ignoreVary: true }))?.text()) ?? "";
        if (forbidden.some((word) => text.includes(word))) found.push(url);
      }
    }
    return found;
  }, words);
}
