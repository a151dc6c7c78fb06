import { expect } from "vitest";
import { openSite, WIDTHS } from "./support/journeys.ts";
import { GOOD_CARD, introduceSomebody, seesWoven, typeCard } from "./support/joining.ts";
import type { Visit } from "./support/visit.ts";

const { journey } = openSite();
const empty = openSite({}, undefined, undefined, "block", "empty");

const DONE = /You are square \d+; \d+ more yes votes? funds? “Beekeeping kits/;

journey("after paying the own square joins the cloth; who touches the page stays on it", async (visit) => {
  await visit.go("/");
  const people = Number(/(\d+) active/.exec(await visit.page.getByRole("main").innerText())?.[1]);
  await joins(visit);
  const heading = visit.page.getByRole("heading", { level: 1, name: DONE });
  await heading.waitFor();
  // At the other width somebody else may join meanwhile.
  expect(Number(/square (\d+)/.exec(await heading.innerText())?.[1])).toBeGreaterThan(people);
  expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await visit.page.getByText("Payment details").count(), "the card form is gone").toBe(0);
  await visit.sees(/It passes when .+ of changemakers vote yes\./);
  await isInView(visit, "Vote now");
  await isInView(visit, "Share my square");
  expect(await visit.page.getByText("Your dashboard will open in a moment.").count()).toBe(1);
  await visit.page.keyboard.press("Shift");
  await visit.seesNot("Your dashboard will open in a moment.");
  await visit.looksRight();
  await visit.looksRightInTheDark();
  await staysStill(visit);
  await visit.page.waitForTimeout(3500);
  expect(visit.address).toMatch(/^\/join/);
  await visit.link("Vote now").click();
  await visit.arrivesAt("/proposals/beekeeping-kits-for-24-farming-families");
}, WIDTHS);

empty.journey("the first square is seen whole, below the notice of the payment", async (visit) => {
  await joins(visit);
  await visit.page.getByRole("heading", { level: 1, name: /You are square \d+/ }).waitFor();
  await visit.page.keyboard.press("Shift");
  const notice = await visit.page.locator(".Toastify__toast").boundingBox();
  const square = await visit.page.locator("[data-next]").boundingBox();
  expect(square?.y ?? 0).toBeGreaterThanOrEqual((notice?.y ?? 0) + (notice?.height ?? 900));
  await visit.looksRight();
}, WIDTHS);

journey("with nothing open the filled button shares the square", async (visit, site) => {
  // The answer of an organisation between two votes.
  await visit.page.route("**/api/user/get-proposals", async (route) => {
    const answer = await route.fetch();
    const all = (await answer.json()) as readonly { readonly status: string }[];
    await route.fulfill({ response: answer, json: all.filter(({ status }) => status !== "open") });
  });
  await joins(visit);
  await visit.page.getByRole("heading", { name: /You are square \d+; the next vote is yours too\./ }).waitFor();
  await visit.page.keyboard.press("Shift");
  expect(await visit.page.getByText("Vote now").count()).toBe(0);
  await visit.looksRight();
  await visit.link("Share my square").click();
  const shared = await visit.dialog.getByLabel("Message").inputValue();
  expect(shared).toMatch(new RegExp(`${site.origin}/\\?square=\\d+-\\d-\\d$`));
});

journey("figures that do not arrive make no number, and the dashboard still opens", async (visit) => {
  await visit.go("/join");
  await visit.page.route("**/api/stats", (route) => route.abort("internetdisconnected"));
  visit.expectLosses(/\/api\/stats/);
  await joins(visit);
  await visit.page.getByRole("heading", { name: "Your square is in the cloth." }).waitFor();
  await visit.arrivesAt("/dashboard");
});

journey("a shared square greets the friend, beside the place of their own", async (visit) => {
  await visit.go("/?square=3-1-2");
  await visit.sees(/One of the \d+ wove this one\./);
  await visit.sees("Yours goes here.");
  await visit.stayedStill();
  const greeting = visit.page.getByRole("region", { name: "A friend's square" });
  const box = await greeting.boundingBox();
  expect(box?.y, "the greeting is the first of the page").toBeLessThan(120);
  await visit.looksRight();
  await visit.looksRightInTheDark();
  await greeting.getByRole("link", { name: "Join Jara" }).click();
  await visit.arrivesAt("/join");
  await visit.page.goBack();
  await visit.sees("Yours goes here.");
  await visit.go("/?square=3-1-9");
  expect(await greeting.count(), "there is no such square").toBe(0);
  await visit.go("/?square=3-1-2&lang=fr");
  await visit.sees("Le vôtre vient ici.");
  await visit.fitsEverywhere();
}, WIDTHS);

journey("a member who opens a shared square has one already", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  await visit.go("/?square=3-1-2");
  await visit.sees("Yours is in the cloth too.");
  await visit.looksRight();
});

/** Goes through the three steps with a card that is charged today. */
async function joins(visit: Visit): Promise<void> {
  await introduceSomebody(visit);
  await visit.press("Next");
  await typeCard(visit, GOOD_CARD);
  await visit.press("Join Jara");
  await seesWoven(visit);
}

async function isInView(visit: Visit, link: string): Promise<void> {
  const box = await visit.link(link).boundingBox();
  const height = visit.page.viewportSize()?.height ?? 0;
  expect((box?.y ?? height) + (box?.height ?? 0), `${link} is in view`).toBeLessThanOrEqual(height);
}

/** Checks that nothing has moved since the button was pressed. */
async function staysStill(visit: Visit): Promise<void> {
  const shift = await visit.page.evaluate(() => {
    const calls = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    const paid = calls.findLast(({ name }) => name.endsWith("/api/register"))?.startTime ?? 0;
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: "layout-shift", buffered: true });
    const shifts = observer.takeRecords() as unknown as readonly { readonly value: number; readonly startTime: number }[];
    return shifts.filter(({ startTime }) => startTime > paid).reduce((sum, { value }) => sum + value, 0);
  });
  expect(shift, "layout shift after paying").toBeLessThan(0.001);
}
