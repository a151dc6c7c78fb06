import { expect } from "vitest";
import { openSite } from "./support/journeys.ts";
import { GOOD_CARD, introduceSomebody, typeCard } from "./support/joining.ts";

const { journey } = openSite();

journey("after paying the own square joins the cloth; who touches the page stays on it", async (visit) => {
  await visit.go("/");
  const people = Number(/(\d+) active/.exec(await visit.page.getByRole("main").innerText())?.[1]);
  await introduceSomebody(visit);
  await visit.press("Next");
  await typeCard(visit, GOOD_CARD);
  await visit.press("Join Jara");
  const square = await visit.page.getByText(/You are square \d+\./).first().innerText();
  // At the other width somebody else may join meanwhile.
  expect(Number(/square (\d+)/.exec(square)?.[1])).toBeGreaterThan(people);
  await visit.sees(/more yes votes? pass(es)? “Beekeeping kits/);
  const share = await visit.link("Share my square").boundingBox();
  const height = visit.page.viewportSize()?.height ?? 0;
  expect((share?.y ?? height) + (share?.height ?? 0), "the square is in view").toBeLessThanOrEqual(height);
  await visit.page.keyboard.press("Shift");
  await visit.looksRight();
  await visit.looksRightInTheDark();
  await visit.page.waitForTimeout(3500);
  expect(visit.address).toMatch(/^\/join/);
  await visit.link("Vote now").click();
  await visit.arrivesAt("/proposals");
});
