import { setTimeout as wait } from "node:timers/promises";
import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { LATER_DAY } from "./support/joining.ts";
import { castVote, openSite, WIDTHS } from "./support/journeys.ts";
import { newPerson } from "./support/organisation.ts";
import type { Visit } from "./support/visit.ts";

const { journey } = openSite();
const THIRTY_DAYS_MS = 30 * 86_400_000;
const PROMISED = /^Promised; listed on .+ at the latest\.$/;
// By slug: other journeys add proposals before it.
const BEES = "/proposals/beekeeping-kits-for-24-farming-families";

journey("a visitor who votes is asked to register", async (visit) => {
  await visit.go(BEES);
  await visit.press("Cast Vote");
  await visit.dialog.getByText("This vote will require 50% or more of changemakers").waitFor();
  await visit.looksRight();
  await visit.dialog.getByRole("button", { name: "Yes" }).click();
  await visit.isTold("Kindly register to vote");
  await visit.arrivesAt("/join");
});

journey("a member votes, keeps the receipt and checks it; a second vote is not sent", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  await visit.go(BEES);
  await vote(visit, "Yes");
  await visit.dialog.getByText("Your vote has been counted...").waitFor();
  await visit.dialog.getByText(PROMISED).waitFor();
  await visit.looksRight();
  const receipt = await saveReceipt(visit);
  await visit.dialog.getByRole("button", { name: "Share the news" }).click();
  await visit.dialog.getByRole("heading", { name: "Spread the word" }).waitFor();
  await visit.looksRight();
  await visit.page.keyboard.press("Escape");

  await visit.press("See your vote");
  await visit.dialog.getByText("Your vote has been counted...").waitFor();
  expect(await visit.dialog.getByRole("button", { name: "Yes" }).count()).toBe(0);
  await visit.page.keyboard.press("Escape");

  await visit.press("Check my vote");
  await visit.sees(PROMISED);
  await visit.looksRight();
  await visit.go("/check-vote");
  await visit.field("Receipt file").setInputFiles(receipt);
  await visit.sees(PROMISED);
  await visit.looksRight();

  const genuine = await readFile(receipt, "utf8");
  const { nonce } = JSON.parse(genuine) as { nonce: string };
  const forged = genuine.replace(`"${nonce}"`, `"${[...nonce].toReversed().join("")}"`);
  await visit.field("Or paste the receipt").fill(forged);
  await visit.press("Check my vote");
  await visit.sees("This receipt did not pass. At least one check failed.");
});

journey("after the close a receipt says that the ballot was counted, also from the whole log", async (visit, site) => {
  const { slug, end } = await site.openShortVote(`Benches by the well, ${visit.width} wide`);
  await visit.signInAs(await site.newMember());
  await visit.go(`/proposals/${slug}`);
  await vote(visit, "No");
  const receipt = await saveReceipt(visit);
  await wait(Math.max(0, end - Date.now() + 1000));
  // The server may have closed it already, so no name.
  await site.jara("proposals", "close");
  await visit.go("/check-vote");
  await visit.field("Receipt file").setInputFiles(receipt);
  await visit.sees("Listed, counted as no.");
  await visit.press("Check the whole log");
  await visit.sees(/match today's signed state\. Your ballot: Listed, counted as no\./);
  await visit.looksRight();
});

journey("a vote from another device is shown and not counted twice", async (visit, site) => {
  const member = await site.newMember();
  await visit.signInAs(member);
  await visit.go(BEES);
  await visit.press("Cast Vote");
  await visit.dialog.waitFor();
  await site.post("/user/votes", { id: "beekeeping", voteType: "downvote" }, member.token);
  visit.expectRefusal(409, "/user/votes");
  await castVote(visit, "Yes");
  await visit.dialog.getByText("Your earlier vote counts. This one was not cast.").waitFor();
});

journey("of Yes in one tab and No in another, the first counts and both say so", async (visit, site) => {
  const member = await site.newMember();
  await visit.signInAs(member);
  await visit.go(BEES);
  const other = await visit.page.context().newPage();
  await other.goto(`${site.origin}${BEES}`);
  const second = other.locator("dialog[open]");
  await other.getByRole("button", { name: "Cast Vote", exact: true }).filter({ visible: true }).first().click();
  await second.getByRole("button", { name: "No", exact: true }).waitFor();
  await vote(visit, "Yes");
  await visit.dialog.getByText("Your vote has been counted...").waitFor();
  await second.getByRole("button", { name: "No", exact: true }).click();
  await second.getByText("Your earlier vote counts. This one was not cast.").waitFor();
  expect(await second.getByRole("button", { name: "No", exact: true }).count()).toBe(0);
  expect(await second.getByText("Your vote has been counted...").count()).toBe(0);
  await other.close();
  // The first says nothing of the second, also when it is opened again.
  expect(await visit.dialog.getByText("This one was not cast.").count()).toBe(0);
});

journey("a vote whose dialog does not load says so, and can be cast when the network returns", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  await visit.go("/proposals");
  await visit.settle();
  await visit.page.route("**/assets/vote-dialog-*.js", (route) => route.abort("internetdisconnected"));
  visit.expectLosses(/\/assets\/vote-dialog-/);
  await visit.press("Cast Vote");
  const failed = visit.page.getByText("This part did not load.");
  await failed.waitFor();
  expect(await visit.page.getByRole("heading", { level: 1 }).count(), "the proposal stays").toBe(1);
  const box = await failed.boundingBox();
  const view = visit.page.viewportSize();
  expect(box?.y, "the notice is in view").toBeLessThan(view?.height ?? 0);
  await visit.page.unroute("**/assets/vote-dialog-*.js");
  await visit.page.evaluate(() => window.dispatchEvent(new Event("online")));
  await visit.dialog.getByRole("button", { name: "Yes" }).waitFor();
}, WIDTHS);

journey("a vote after the end is refused, and the result is shown", async (visit, site) => {
  const title = `Roof for the market, ${visit.width} wide`;
  const { slug, end } = await site.openShortVote(title);
  // This browser's clock is slow: it still offers the vote after the server has closed it.
  await visit.page.clock.install({ time: end - 600_000 });
  await visit.signInAs(await site.newMember());
  await visit.go(`/proposals/${slug}`);
  await visit.press("Cast Vote");
  await visit.dialog.getByRole("button", { name: "Yes" }).waitFor();
  await wait(Math.max(0, end - Date.now() + 1000));
  visit.expectRefusal(409, "/user/votes");
  await castVote(visit, "Yes");
  await visit.isTold(/is over\./);
  await visit.dialog.getByRole("heading", { name: "The result" }).waitFor();
  await visit.dialog.getByText(/Voting has ended\.|^Did not pass/).first().waitFor(); // as soon as it is counted
  expect(await visit.dialog.getByRole("button", { name: "Yes" }).count()).toBe(0);
  await visit.looksRight();
  await visit.page.keyboard.press("Escape");
  await visit.sees(/Voting closed on/);
  expect(await visit.button("Cast Vote").count()).toBe(0);

  await visit.go("/proposals");
  const first = await visit.page.getByRole("heading", { level: 1 }).textContent();
  expect(first, "a vote that is over is not the one to vote on").not.toBe(title);
  // The server may have closed it already, so no name.
  await site.jara("proposals", "close");
  await visit.go(`/proposals/${slug}`);
  await visit.sees(/Did not pass: 0 of \d+ changemakers voted yes, 0 voted no\./);
  await visit.looksRight();
});

journey("a vote that ends while the page is open closes at once", async (visit, site) => {
  await visit.page.clock.install();
  await visit.signInAs(await site.newMember());
  await visit.go(BEES);
  await visit.press("Cast Vote");
  await visit.dialog.getByRole("button", { name: "Yes" }).waitFor();
  await visit.page.clock.fastForward(THIRTY_DAYS_MS);
  await visit.dialog.getByText(/Voting has ended\.|^Did not pass/).first().waitFor(); // as soon as it is counted
  expect(await visit.dialog.getByRole("button", { name: "Yes" }).count()).toBe(0);
  await visit.looksRight();
  await visit.page.keyboard.press("Escape");
  await visit.sees(/Voting closed on/);
  expect(await visit.button("Cast Vote").count()).toBe(0);
});

journey("a member who may not vote yet is told so in the dialog", async (visit, site) => {
  const person = newPerson();
  const { token } = await site.post("/register", {
    ...person,
    country: "Ghana",
    notifications: false,
    privacyPolicy: true,
    contribution: "10",
    billingDay: String(LATER_DAY),
    paymentMethodId: "pm_card_visa",
  });
  await visit.signInAs({ ...person, token: String(token) });
  await visit.go(BEES);
  visit.expectRefusal(403, "/user/votes");
  await vote(visit, "Yes");
  await visit.isTold(/your right to vote begins on/);
  await visit.dialog.getByText(/your right to vote begins on/).first().waitFor();
  expect(await visit.dialog.getByText("Your vote has been counted...").count()).toBe(0);
  await visit.looksRight();
});

journey("a proposal's sections open, are read aloud, and can be shared", async (visit) => {
  await visit.go(BEES);
  await visit.sees(/Proposal to vote on, by /);
  for (const section of ["Implementation", "Metric we'll track"]) {
    await visit.page.locator("summary", { hasText: section }).click();
  }
  await visit.looksRight();
  await visit.press("Share");
  expect(await visit.dialog.getByLabel("Message").inputValue()).toMatch(/Vote with me on .+http/);
});

async function vote(visit: Visit, choice: "Yes" | "No"): Promise<void> {
  await visit.press("Cast Vote");
  await castVote(visit, choice);
}

async function saveReceipt(visit: Visit): Promise<string> {
  const [download] = await Promise.all([
    visit.page.waitForEvent("download"),
    visit.press("Download receipt"),
  ]);
  expect(download.suggestedFilename()).toMatch(/^jara-receipt-.+\.json$/);
  return await download.path();
}
