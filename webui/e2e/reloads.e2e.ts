import type { Page } from "playwright-core";
import { expect } from "vitest";
import { isKept } from "./support/kept.ts";
import { openSite } from "./support/journeys.ts";
import { Relay } from "./support/relay.ts";

// When a page loads again by itself: never because of a clock, and at most once a minute.

const { journey } = openSite({}, undefined, undefined, "allow");
const NOTICE = "Offline. Figures as of";
const MINUTE_MS = 60_000;

journey("in the hour after the clocks go back no page says offline or loads again", async (visit) => {
  // Browsers write the hour that comes twice as local time, which is read as its first occurrence.
  await visit.page.addInitScript(() => {
    const hourAgo = new Date(Date.now() - 3_600_000).toString();
    Object.defineProperty(document, "lastModified", { get: () => hourAgo });
  });
  for (const path of ["/", "/login"]) {
    await visit.go(path);
    const loads = await loadsIn(visit.page, 12_000);
    expect({ path, loads, notices: await visit.page.getByText(NOTICE).count() })
      .toEqual({ path, loads: 0, notices: 0 });
  }
});

journey("an answer that something on the way dated is not taken for a stored one", async (visit) => {
  await visit.page.route("**/api/**", async (route) => {
    const answer = await route.fetch();
    const headers = { ...answer.headers(), "last-modified": "Thu, 01 Jan 2026 00:00:00 GMT" };
    await route.fulfill({ response: answer, headers });
  });
  await visit.go("/ledger");
  await visit.go("/impact");
  await visit.go("/team");
  expect(await loadsIn(visit.page, 12_000)).toBe(0);
  await visit.seesNot(NOTICE);
});

journey("a network that answers everything but pages is tried once a minute", async (visit, site) => {
  const relay = await Relay.before(site.origin);
  visit.allow(relay.origin);
  visit.expectLosses(/./);
  try {
    await visit.page.goto(`${relay.origin}/team`);
    await isKept(visit.page, "/team");
    relay.hasPages = false;
    await visit.page.reload({ waitUntil: "commit" });
    await visit.sees(NOTICE);
    expect(await loadsIn(visit.page, MINUTE_MS)).toBeLessThan(2);
    relay.hasPages = true;
    await visit.page.getByText(NOTICE).waitFor({ state: "detached", timeout: 2 * MINUTE_MS });
  } finally {
    relay.stop();
  }
});

journey("a page whose script stays away loads again once, whatever the network says", async (visit) => {
  visit.expectLosses(/assets/);
  await visit.go("/");
  await visit.page.context().route("**/assets/faqs-*.js", (route) => route.abort());
  const wanted = visit.page.getByText("did not load").first();
  for (const reloads of [1, 0, 0]) {
    await visit.page.evaluate(() => {
      history.pushState(null, "", "/faqs");
      dispatchEvent(new PopStateEvent("popstate"));
    });
    await wanted.waitFor();
    const loads = loadsIn(visit.page, 3000);
    await visit.page.evaluate(() => void dispatchEvent(new Event("online")));
    expect(await loads).toBe(reloads);
  }
});

/** How often the page loads in a time. */
async function loadsIn(page: Page, ms: number): Promise<number> {
  let loads = 0;
  const note = () => {
    loads += 1;
  };
  page.on("domcontentloaded", note);
  await page.waitForTimeout(ms);
  page.off("domcontentloaded", note);
  return loads;
}
