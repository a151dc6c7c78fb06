import { expect } from "vitest";
import { castVote, openSite, WIDTHS } from "./support/journeys.ts";

const { journey } = openSite();
const BEES = "Beekeeping kits for 24 farming families";
const STRIP = { name: "Vote in progress" } as const;

journey("a vote in progress is seen on the home page before anything loads or moves", async (visit) => {
  await visit.go("/");
  const strip = visit.page.getByRole("region", STRIP);
  await strip.getByText(BEES).waitFor();
  await strip.getByText(/Open until \w+, \d+ \w+, \d\d:\d\d \S+/).waitFor();
  await strip.getByText(/Yes votes still needed: \d+\./).waitFor();
  await visit.stayedStill();
  await visit.looksRight();
  await visit.looksRightInTheDark();
  await strip.getByRole("link", { name: "See the proposal" }).click();
  await visit.page.getByRole("heading", { level: 1, name: BEES }).waitFor();
}, WIDTHS);

journey("everything that one needs to vote is in the first view of a proposal", async (visit) => {
  await visit.go("/proposals");
  const { height } = visit.page.viewportSize() ?? { height: 0 };
  const seen = [
    visit.page.getByRole("heading", { level: 1 }),
    visit.page.getByText(/^Proposal to vote on, by/),
    visit.page.getByText("Funds required"),
    visit.page.getByRole("meter", { name: /Yes votes/ }),
    visit.page.getByRole("meter", { name: "No votes" }),
    // On a phone it is in the bar at the lower edge.
    visit.page.getByRole("button", { name: "Cast Vote" }).filter({ visible: true }).nth(visit.narrow ? -1 : 0),
  ];
  for (const part of seen) {
    const box = await part.boundingBox();
    expect((box?.y ?? height) + (box?.height ?? 0), String(part)).toBeLessThanOrEqual(height);
  }
  await visit.page.getByText("Chanda Mulenga").waitFor();
  await visit.stayedStill();
}, WIDTHS);

journey("a member finds the vote everywhere, and the own thread lights up", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  const strip = visit.page.getByRole("region", STRIP);
  await visit.go("/my-impact");
  await strip.getByText(BEES).waitFor();
  await visit.go("/ledger");
  await strip.getByText(BEES).waitFor();
  await visit.stayedStill();
  await visit.go("/dashboard?tab=events");
  await visit.link("subscribe to this calendar").waitFor();
  expect(await strip.count()).toBe(1);
  await visit.looksRight();
  await visit.go("/dashboard");
  await visit.stayedStill();
  await visit.looksRight();
  await strip.getByRole("link", { name: "Vote now" }).click();
  await visit.press("Cast Vote");
  await castVote(visit, "No");
  await visit.dialog.getByRole("heading", { name: "Your vote is in" }).waitFor();
  await visit.dialog.getByText("The bright one is yours.").waitFor();
  await visit.looksRight();
  await visit.looksRightInTheDark();
  await visit.go("/dashboard");
  await strip.getByRole("link", { name: "See your vote" }).waitFor();
});
