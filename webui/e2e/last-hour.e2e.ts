import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { castVote, openSite } from "./support/journeys.ts";

const { journey } = openSite();

const MINUTE_MS = 60_000;

journey("in its last hour a vote says what it lacks, shows the own thread bold, and its result in place", async (visit, site) => {
  const began = Date.now();
  const other = await site.newMember();
  await visit.signInAs(await site.newMember());
  const end = Date.now() + 35_000 + 4 * (Date.now() - began);
  const slug = await site.openProposal(`Lamps for the pier, ${visit.width} wide`, new Date(end));
  await visit.go(`/proposals/${slug}`);
  const standing = visit.page.getByRole("status").filter({ hasText: /yes short$/ });
  const short = async () => Number(/^\d+/.exec(await standing.innerText())?.[0]);
  const before = await short();
  await visit.sees(/^\d+ seconds? left$/);
  await visit.press("Cast Vote");
  await castVote(visit, "Yes");
  await visit.dialog.getByText("Your vote has been counted...").waitFor();
  await visit.page.keyboard.press("Escape");
  await expect.poll(short).toBe(before - 1);
  await visit.sees("The bright one is yours.");
  const widths = await visit.page.locator("figure rect").evaluateAll((all) => all.map((one) => Number(one.getAttribute("width"))));
  expect(widths.filter((width) => width > 1), "bold threads").toHaveLength(1);
  await visit.looksRight();
  await visit.looksRightInTheDark();
  await visit.page.evaluate(() => Object.assign(window, { stays: true }));
  // Somebody else votes, and the page says so by itself.
  await site.post("/user/votes", { id: slug, voteType: "upvote" }, other.token);
  await expect.poll(short, { timeout: 15_000 }).toBe(before - 2);
  await wait(Math.max(0, end - Date.now()));
  await visit.sees(/^(?:Counting the votes|Did not pass)$/);
  // The server may have closed it already, so no name.
  await site.jara("proposals", "close");
  await visit.page.getByRole("status").filter({ hasText: "Did not pass" }).waitFor();
  await visit.sees(/Did not pass: 2 of \d+ changemakers voted yes, 0 voted no\./);
  expect(await visit.page.evaluate(() => "stays" in window), "without a reload").toBe(true);
  await visit.looksRight();
});

journey("before its last hour a vote does not hurry, and asks for nothing", async (visit, site) => {
  const slug = await site.openProposal("A gate for the garden", new Date(Date.now() + 90 * MINUTE_MS));
  await visit.page.clock.install();
  await visit.go(`/proposals/${slug}`);
  await visit.sees("89 minutes left");
  expect(await visit.page.getByText(/yes short/).count()).toBe(0);
  let asked = 0;
  visit.page.on("request", (request) => {
    if (request.url().endsWith("/api/user/get-proposals")) asked += 1;
  });
  await visit.page.clock.runFor(5 * MINUTE_MS);
  expect(asked, "requests before the last hour").toBe(0);
  await visit.page.clock.runFor(26 * MINUTE_MS);
  await visit.sees(/\d+ yes short/);
  expect(asked, "requests since").toBeGreaterThan(0);
});
