import type { Route } from "playwright-core";
import { expect } from "vitest";
import { GOOD_CARD, introduceSomebody, LATER_DAY, seesDashboardSoon, seesWoven, typeCard } from "./support/joining.ts";
import { openSite } from "./support/journeys.ts";
import type { Visit } from "./support/visit.ts";

const { journey } = openSite();

journey("somebody joins and pays today", async (visit) => {
  const { firstname } = await introduceSomebody(visit);
  await visit.looksRight();
  await visit.press("$20");
  await visit.field(/^Today/).check();
  await visit.sees("You can vote as soon as your first payment goes through today.");
  await visit.press("Next");
  await visit.arrivesAt("/join?step=3");
  await visit.sees(/You will be charged \$20\.00 USD today/);
  await visit.sees("Sandbox payments");
  await visit.looksRight();
  await typeCard(visit, GOOD_CARD);
  await visit.press("Join Jara");
  await seesDashboardSoon(visit, firstname);
  await visit.sees("$20");
  await visit.looksRight();
});

journey("somebody joins and pays on a later day", async (visit) => {
  const { firstname } = await introduceSomebody(visit);
  await visit.field(new RegExp(`^${LATER_DAY}(st|th)`)).check();
  await visit.sees(/Your first charge is on .+\. You can vote from that day\./);
  await visit.press("Next");
  await visit.sees(new RegExp(`on the ${LATER_DAY}(st|th) of each month`));
  await visit.sees(/Nothing is charged today\./);
  await typeCard(visit, GOOD_CARD);
  await visit.press("Join Jara");
  await seesWoven(visit);
  await visit.link("Go to my dashboard now").click();
  await visit.arrivesAt("/dashboard");
  await visit.page.getByRole("heading", { name: firstname }).waitFor();
  await visit.sees(/You can vote from/);
});

journey("a declined card is reported, a good one accepted, and the form keeps its values", async (visit) => {
  const { firstname, email } = await introduceSomebody(visit);
  await visit.field("Amount in US dollars").fill("37");
  await visit.press("Next");
  await typeCard(visit, "4000 0000 0000 0002");
  visit.expectRefusal(402, "/register");
  await visit.press("Join Jara");
  const box = visit.page.getByRole("alert").filter({ hasText: "Your card was declined." });
  await box.waitFor();
  expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);
  await visit.looksRight();
  await visit.press("Back");
  expect(await visit.field("Amount in US dollars").inputValue()).toBe("37");
  await visit.press("Back");
  expect(await visit.field("Email").inputValue()).toBe(email);
  await visit.press("Next");
  await visit.arrivesAt("/join?step=2");
  await visit.press("Next");
  await typeCard(visit, GOOD_CARD);
  await visit.press("Join Jara");
  await seesDashboardSoon(visit, firstname);
  await visit.sees("$37");
});

journey("a reload keeps the form, but not the password", async (visit) => {
  const { email, firstname } = await introduceSomebody(visit);
  await visit.field("Amount in US dollars").fill("12");
  await visit.page.reload();
  await visit.settle();
  expect(await visit.field("Email").inputValue()).toBe(email);
  expect(await visit.field("Country").inputValue()).toBe("Ghana");
  expect(await visit.field("Password").inputValue()).toBe("");
  await visit.field("Password").fill("harmattan over the savannah");
  await visit.press("Next");
  expect(await visit.field("Amount in US dollars").inputValue()).toBe("12");
  await visit.field(/^28th/).check();
  await visit.press("Next");
  await typeCard(visit, GOOD_CARD);
  await visit.page.reload();
  await visit.settle();
  expect(await visit.field("First name").inputValue()).toBe(firstname);
  await visit.field("Password").fill("harmattan over the savannah");
  await visit.press("Next");
  await visit.arrivesAt("/join?step=2");
  expect(await visit.field(/^28th/).isChecked(), "the day that was chosen").toBe(true);
  await visit.press("Next");
  await visit.field("Card number").waitFor();
  expect(await visit.field("Card number").inputValue(), "the card").toBe("");
});

journey("input from before hydration is kept and replaces the stored draft", async (visit) => {
  const { email } = await introduceSomebody(visit);
  const held: Route[] = [];
  await visit.page.route("**/assets/main-*.js", (route) => void held.push(route));
  const asked = visit.page.waitForRequest("**/assets/main-*.js");
  await visit.page.goto(new URL("/join", visit.page.url()).href);
  await visit.field("First name").fill("Abena");
  await visit.field("Password").fill("harmattan over the savannah");
  await visit.field(/^Notify me/).check();
  expect(await visit.button("Next").isDisabled(), "Next, before the scripts").toBe(true);
  await asked;
  for (const route of held) await route.continue();
  await visit.settle();
  expect(await visit.field("First name").inputValue()).toBe("Abena");
  expect(await visit.field("Email").inputValue()).toBe(email);
  expect(await visit.field("Country").inputValue()).toBe("Ghana");
  expect(await visit.field(/^Notify me/).isChecked(), "news wanted").toBe(true);
  await visit.stayedStill();
  await visit.press("Next");
  await visit.arrivesAt("/join?step=2");
});

journey("after a lost answer the same request is retried and charged once", async (visit) => {
  const { firstname } = await introduceSomebody(visit);
  await visit.press("Next");
  await typeCard(visit, GOOD_CARD);
  const keys: (string | undefined)[] = [];
  visit.page.on("request", (request) => {
    if (request.url().endsWith("/api/register")) keys.push(request.headers()["idempotency-key"]);
  });
  await visit.loseAnswer("/register");
  await visit.press("Join Jara");
  await visit.page.getByRole("alert").filter({ hasText: "We got no answer." }).waitFor();
  expect(await visit.field("Card number").inputValue()).toBe(GOOD_CARD);
  expect(await visit.button("Back").count(), "ways back").toBe(0);
  await visit.looksRight();
  await visit.press("Join Jara");
  await seesDashboardSoon(visit, firstname);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
});

journey("the page reports being offline, and joining continues when the network is back", async (visit) => {
  const { firstname } = await introduceSomebody(visit);
  await visit.settle();
  await visit.page.context().setOffline(true);
  await visit.sees(/^Offline\./);
  // The step was loaded while the amount was chosen.
  await visit.press("Next");
  await visit.field(/^Cover the card fee/).waitFor();
  await typeCard(visit, GOOD_CARD);
  visit.expectLoss("/register");
  await visit.press("Join Jara");
  await visit.sees("We got no answer.");
  await visit.page.context().setOffline(false);
  await visit.seesNot(/^Offline\./);
  await visit.press("Join Jara");
  await seesDashboardSoon(visit, firstname);
});

journey("the cardholder first refuses, then confirms with the bank", async (visit) => {
  const { firstname } = await introduceSomebody(visit);
  await visit.press("Next");
  await payWithQuestion(visit);
  await visit.looksRight();
  await visit.press("Decline");
  await visit.sees(/unable to authenticate your payment method/);
  await payWithQuestion(visit);
  await visit.press("Confirm the payment");
  await seesDashboardSoon(visit, firstname);
});

journey("an amount below the minimum, a taken email and an unknown card show errors", async (visit, site) => {
  const member = await site.newMember();
  await introduceSomebody(visit);
  const amount = visit.field("Amount in US dollars");
  const limits = await amount.evaluate(({ min, max, value }: HTMLInputElement) => [min, max, value]);
  expect(limits, "from, to, at first").toEqual(["0", "999", "10"]);
  await visit.field("Amount in US dollars").fill("4");
  await visit.press("Next");
  await visit.sees("The minimum pledge is $5.");
  await visit.field("Amount in US dollars").fill("5");
  await visit.press("Next");
  await typeCard(visit, "4111 1111 1111 1111");
  await visit.press("Join Jara");
  await visit.sees(/Only test cards work here\./);
  await visit.looksRight();
  await visit.press("Back");
  await visit.press("Back");
  await visit.field("Email").fill(member.email);
  visit.expectRefusal(409, "/email-exists");
  await visit.press("Next");
  await visit.isTold(/already/);
  expect(await visit.field("Email").getAttribute("aria-invalid")).toBe("true");
  await visit.looksRight();
});

async function payWithQuestion(visit: Visit): Promise<void> {
  await typeCard(visit, "4000 0027 6000 3184");
  await visit.press("Join Jara");
  await visit.dialog.getByText("Confirm with your bank").waitFor();
}
