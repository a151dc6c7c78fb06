import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { expect, vi } from "vitest";
import { startKillable } from "./support/browser.ts";
import { openSite } from "./support/journeys.ts";
import { hereOf, newLink, waiting } from "./support/partner.ts";
import { becomeSlow, isKept, isStored, noise, photos, queued, reopened, roomOf } from "./support/phone.ts";
import { Relay } from "./support/relay.ts";
import { until } from "./support/wait-until.ts";

// What goes wrong on a partner's phone: no room, a wrong clock, a killed browser, a new version.

const { journey } = openSite({ JARA_LIMIT_FIELD_LINK: "1000000/h" }, undefined, undefined, "allow");
const ARRIVED = "Arrived, waits for the organisation";
const FULL = /storage of this phone is full/;
const SEND = { name: "Send report" } as const;

journey("a full phone says so, loses nothing, and goes on once there is room", async (visit, site) => {
  const { link } = await newLink(site, "en");
  await visit.page.goto(link);
  await isKept(visit.page);
  await write(visit.page, "Before", "Kept while there was room.");
  await isStored(visit.page, "Before");
  const fill = await roomOf(visit.page, site.origin);
  await fill(1);
  // The browser remembers for half a minute that there was room.
  await vi.waitFor(async () => {
    await write(visit.page, "After", `Written on a full phone. ${Math.random()}`);
    await visit.page.getByText(FULL).waitFor({ timeout: 1000 });
  }, { timeout: 90_000 });
  await visit.page.getByRole("button", SEND).click();
  await visit.sees(FULL);
  expect(await visit.page.getByLabel("What happened").inputValue()).toBe("After");
  const [photo] = await photos(visit.page, 1, 1200);
  await visit.page.getByLabel("Add photos").setInputFiles(photo ? [photo] : []);
  await visit.page.getByText("Making the photo small").waitFor({ state: "detached" });
  await visit.sees(FULL);
  // Opened again, the page shows what it could keep.
  const again = await reopened(visit.page, link);
  expect(await again.getByLabel("What happened").inputValue()).not.toBe("");
  await again.close();

  await fill(null);
  await visit.page.getByLabel("Add photos").setInputFiles(photo ? [photo] : []);
  await visit.page.getByLabel("Nobody can be recognised").check();
  await visit.page.getByRole("button", SEND).click();
  await visit.sees(ARRIVED);
  const rows = (await waiting(site)).filter(({ title }) => ["Before", "After"].includes(title));
  expect(rows.map(({ title, photos: count }) => [title, count])).toEqual([["After", 1]]);
}, [390]);

journey("a phone that was full before the first visit shows its page", async (visit, site) => {
  const { link } = await newLink(site, "en");
  await visit.page.goto(site.origin);
  const fill = await roomOf(visit.page, site.origin);
  await fill(1);
  visit.expectLosses(/./);
  await visit.page.goto(link);
  await visit.sees(FULL);
  await visit.seesNot("This page also works without a network.");
  await write(visit.page, "No room at all", "It goes out as soon as it can be kept.");
  await fill(null);
  await visit.page.getByRole("button", SEND).click();
  await visit.sees(ARRIVED);
}, [390]);

journey("a report that arrived on a full phone is not sent again and again", async (visit, site) => {
  const { link } = await newLink(site, "en");
  await visit.page.goto(link);
  await isKept(visit.page);
  visit.expectLosses(/./);
  await visit.page.context().setOffline(true);
  await write(visit.page, "Queued", "There is no room for the answer. ".repeat(20));
  await visit.page.getByRole("button", SEND).click();
  await visit.sees("waits for a network");
  const fill = await roomOf(visit.page, site.origin);
  await fill(1);
  await visit.page.context().setOffline(false);
  await until(async () => expect(await queued(visit.page)).toBe(0));
  await visit.sees(ARRIVED);
}, [390]);

journey("a clock that is years off sends reports of today", async (visit, site) => {
  const { link } = await newLink(site, "en");
  for (const year of ["1969", "2009", "2043"]) {
    await visit.page.clock.setSystemTime(new Date(`${year}-03-04T12:00:00Z`));
    await visit.page.goto(link);
    await write(visit.page, `Clock of ${year}`, "The battery was out.");
    await visit.page.getByRole("button", SEND).click();
    await visit.page.getByRole("listitem").filter({ hasText: `Clock of ${year}` }).getByText(ARRIVED).waitFor();
    const row = (await waiting(site)).find(({ title }) => title === `Clock of ${year}`);
    const { writtenAt } = JSON.parse(await site.jara("field", "show", row?.id ?? "", "--json")) as {
      readonly writtenAt: string;
    };
    expect(writtenAt.slice(0, 10), year).toBe(new Date().toISOString().slice(0, 10));
  }
}, [390]);

journey("a photo of 40 megapixels becomes small, and so do six of pure noise", async (visit, site) => {
  const { link } = await newLink(site, "en");
  await visit.page.goto(link);
  await visit.page.getByLabel("Add photos").waitFor();
  const devtools = await visit.page.context().newCDPSession(visit.page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const [large] = await photos(visit.page, 1, 7304);
  await visit.page.getByLabel("Add photos").setInputFiles(large ? [large] : []);
  await visit.page.locator(".photos li").first().waitFor();
  await visit.page.getByLabel("Add photos").setInputFiles(await noise(visit.page, 5));
  await visit.page.locator(".photos li").nth(5).waitFor();
  await visit.page.getByLabel("Nobody can be recognised").check();
  await write(visit.page, "Six photos", "All of them arrive.");
  await visit.page.getByText("Making the photo small").waitFor({ state: "detached" });
  await visit.page.getByRole("button", SEND).click();
  await visit.sees(ARRIVED);
  const row = (await waiting(site)).find(({ title }) => title === "Six photos");
  const shown = JSON.parse(await site.jara("field", "show", row?.id ?? "", "--json")) as {
    readonly photos: readonly { readonly fault: string }[];
  };
  expect(shown.photos.map(({ fault }) => fault)).toEqual(["", "", "", "", "", ""]);
}, [390]);

journey("a browser that is killed while it sends goes on when it is opened", async (_visit, site) => {
  const { link } = await newLink(site, "en");
  const profile = await mkdtemp(path.join(os.tmpdir(), "jara-e2e-phone-"));
  const first = await startKillable(profile);
  const page = await first.context.newPage();
  await page.goto(link);
  await page.getByLabel("What happened").waitFor();
  await page.getByLabel("Add photos").setInputFiles(await photos(page, 2, 2400));
  await page.locator(".photos li").nth(1).waitFor();
  await page.getByLabel("Nobody can be recognised").check();
  await write(page, "Killed", "The battery is empty.");
  await becomeSlow(page);
  await page.getByRole("button", SEND).click();
  await page.getByText(/Sending: [1-9]/).waitFor();
  await first.kill();
  const before = (await waiting(site)).filter(({ title }) => title === "Killed");
  expect(before.map(({ state }) => state)).toEqual(["arriving"]);

  const second = await startKillable(profile);
  const next = await second.context.newPage();
  await next.goto(link);
  await next.getByText(ARRIVED).waitFor();
  await second.kill();
  await rm(profile, { recursive: true });
  const after = (await waiting(site)).filter(({ title }) => title === "Killed");
  expect(after.map(({ state, photos: count }) => [state, count])).toEqual([["waiting", 2]]);
}, [390]);

journey("a page of the version before sends to the new one, and is replaced whole", async (visit, site) => {
  const relay = await Relay.before(site.origin);
  visit.allow(relay.origin);
  visit.expectLosses(/./);
  visit.expectMissingFiles();
  try {
    const { link: there } = await newLink(site, "en");
    const link = hereOf(there, relay);
    await visit.page.goto(link);
    await isKept(visit.page);
    relay.isSilent = true;
    const offline = await reopened(visit.page, link);
    await write(offline, "Between versions", "Written before, sent after.");
    await offline.getByRole("button", SEND).click();
    await offline.getByText("waits for a network").waitFor();
    // Half of the new version is worth nothing.
    relay.isSilent = false;
    relay.isNewBuild = true;
    relay.hasScripts = false;
    const old = await reopened(visit.page, link, offline);
    await old.getByText(ARRIVED).waitFor();
    expect(await scriptOf(old)).not.toMatch(/v2/);
    relay.hasScripts = true;
    const between = await reopened(visit.page, link, old);
    await between.getByText(ARRIVED).waitFor();
    await until(async () => expect(await keptScripts(between)).toEqual(["new"]));
    const last = await reopened(visit.page, link, between);
    await last.getByText(ARRIVED).waitFor();
    expect(await scriptOf(last)).toMatch(/v2/);
    await last.close();
  } finally {
    relay.stop();
  }
  const rows = (await waiting(site)).filter(({ title }) => title === "Between versions");
  expect(rows.map(({ state }) => state)).toEqual(["waiting"]);
}, [390]);

journey("without a network each step says what holds", async (visit, site) => {
  const [first, second] = [await newLink(site, "en"), await newLink(site, "en")];
  await visit.page.goto(first.link);
  await isKept(visit.page);
  visit.expectLosses(/./);
  const network = visit.page.context();
  await network.setOffline(true);
  const unknown = await reopened(visit.page, second.link);
  await unknown.getByText("This page has to reach the organisation once.").waitFor();
  await network.setOffline(false);
  await unknown.getByLabel("Tell more").waitFor();
  await write(unknown, "Step by step", "Written with a network.");
  await isStored(unknown, "Step by step");
  await network.setOffline(true);
  const [photo] = await photos(unknown, 1, 1200);
  await unknown.getByLabel("Add photos").setInputFiles(photo ? [photo] : []);
  await unknown.locator(".photos li").first().waitFor();
  await unknown.getByLabel("Nobody can be recognised").check();
  await unknown.getByRole("button", SEND).click();
  await unknown.getByText("waits for a network").waitFor();
  await network.setOffline(false);
  await unknown.getByText(ARRIVED).waitFor();
  await network.setOffline(true);
  const later = await reopened(visit.page, second.link, unknown);
  await later.getByText(ARRIVED).waitFor();
  await later.getByText("No network.").waitFor();
  await network.setOffline(false);
  await later.close();
}, [390]);

journey("names and reasons with HTML are text on the phone", async (visit, site) => {
  const hostile = "<img src=x onerror=alert(1)>";
  const { link } = await newLink(site, "en", hostile);
  await visit.page.goto(link);
  await visit.sees(hostile);
  await write(visit.page, hostile, hostile);
  await visit.page.getByRole("button", SEND).click();
  await visit.sees(ARRIVED);
  const row = (await waiting(site)).find(({ title }) => title === hostile);
  await site.jara("field", "refuse", row?.id ?? "", "--why", hostile, "--yes");
  await visit.page.reload();
  await visit.sees(`Reason: ${hostile}`);
  expect(await visit.page.locator("img").count()).toBe(0);
}, [390]);

async function write(page: Page, title: string, text: string): Promise<void> {
  await page.getByLabel("What happened").fill(title);
  await page.getByLabel("Tell more").fill(text);
}

async function scriptOf(page: Page): Promise<string> {
  return await page.evaluate(() => document.querySelector("script[type=module]")?.getAttribute("src") ?? "");
}

/** Which versions the kept scripts are of. */
async function keptScripts(page: Page): Promise<string[]> {
  return await page.evaluate(async () => {
    const kept = await (await caches.open("field")).keys();
    const scripts = kept.map(({ url }) => url).filter((url) => url.endsWith(".js"));
    return [...new Set(scripts.map((url) => (url.endsWith("v2.js") ? "new" : "old")))];
  });
}
