import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { GOOD_CARD, introduceSomebody, seesDashboardSoon, typeCard } from "./support/joining.ts";
import { openSite } from "./support/journeys.ts";
import type { Visit } from "./support/visit.ts";

// A cheap phone on a bad line: each step waits, people tap again, and nothing happens twice.

const { journey } = openSite();
const EMPTY_MS = 500;

journey("on a slow phone an impatient member votes once", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  const sent = await becomeSlow(visit, "/user/votes");
  await visit.go("/proposals/beekeeping");
  await visit.press("Cast Vote");
  await visit.dialog.getByRole("button", { name: "Yes", exact: true }).click();
  await tapTwice(visit, visit.dialog.getByRole("button", { name: "Vote yes. This is final." }));
  await visit.dialog.getByText("Your vote has been counted...").waitFor();
  expect(sent(), "votes sent").toBe(1);
}, [390]);

journey("on a slow phone an impatient person joins and pays once", async (visit) => {
  const sent = await becomeSlow(visit, "/register");
  const { firstname } = await introduceSomebody(visit);
  await visit.press("$20");
  await visit.press("Next");
  await typeCard(visit, GOOD_CARD);
  const longestEmpty = await watchForEmpty(visit);
  await tapTwice(visit, visit.button("Join Jara"));
  await seesDashboardSoon(visit, firstname);
  await visit.sees("$20");
  expect(await longestEmpty(), "ms of an empty page").toBeLessThan(EMPTY_MS);
  expect(sent(), "registrations sent").toBe(1);
}, [390]);

journey("on a slow phone an impatient donor gives once", async (visit) => {
  const sent = await becomeSlow(visit, "/gifts");
  await visit.go("/donate");
  await visit.field("Email").fill("giver@example.org");
  await visit.press("$25");
  await typeCard(visit, GOOD_CARD);
  const longestEmpty = await watchForEmpty(visit);
  await tapTwice(visit, visit.button("Donate $25"));
  await visit.page.waitForURL(/\/payment-success\?amount=25$/);
  await visit.sees("Your receipt is on its way to giver@example.org.");
  expect(await longestEmpty(), "ms of an empty page").toBeLessThan(EMPTY_MS);
  expect(sent(), "gifts sent").toBe(1);
}, [390]);

journey("on a slow phone what is typed before the scripts arrive stays", async (visit, site) => {
  await becomeSlow(visit, "/register");
  await visit.page.goto(new URL("/join", site.origin).href, { waitUntil: "commit" });
  await visit.field("First name").fill("Abena");
  await visit.field("Last name").fill("Owusu");
  await visit.settle();
  expect(await visit.field("First name").inputValue()).toBe("Abena");
  expect(await visit.field("Last name").inputValue()).toBe("Owusu");
  await visit.stayedStill();
}, [390]);

/**
 * Slows a window down: a processor of a quarter, and the line that Chromium's tools call Slow 3G.
 *
 * @returns how often a call has been sent.
 */
async function becomeSlow(visit: Visit, call: string): Promise<() => number> {
  const devtools = await visit.page.context().newCDPSession(visit.page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 2000,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  let times = 0;
  visit.page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith(`/api${call}`)) times += 1;
  });
  return () => times;
}

/** Watches the page; the answer is the longest time in which it showed nothing at all. */
async function watchForEmpty(visit: Visit): Promise<() => Promise<number>> {
  const watch = await visit.page.evaluateHandle(() => {
    const seen = { at: performance.now(), longest: 0 };
    const look = () => {
      const now = performance.now();
      const part = document.querySelector("main > :not(noscript, [class*=loading])");
      if (part !== null) seen.at = now;
      else seen.longest = Math.max(seen.longest, now - seen.at);
      requestAnimationFrame(look);
    };
    look();
    return seen;
  });
  return async () => await watch.evaluate(({ longest }) => longest);
}

/** Two taps in a row, as somebody does who sees no answer; then the button says that it works. */
async function tapTwice(visit: Visit, button: Locator): Promise<void> {
  await button.dblclick();
  await visit.page.locator("button[aria-busy=true]").waitFor();
}
