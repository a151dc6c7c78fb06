import { once } from "node:events";
import { expect } from "vitest";
import { fallBehind } from "./support/failed-charge.ts";
import { openSite } from "./support/journeys.ts";
import type { Organisation, Person } from "./support/organisation.ts";
import type { Visit } from "./support/visit.ts";

const { journey } = openSite();
const FAILED = "Your last charge did not go through";

async function opens(visit: Visit, member: Person): Promise<void> {
  await visit.signInAs(member);
  await visit.go("/dashboard");
  await visit.page.getByRole("region", { name: FAILED }).waitFor();
}

/** How many payments the server has booked for a member. */
async function payments(site: Organisation, { token }: Person): Promise<number> {
  const answer = await fetch(`${site.origin}/api/user/contributions`, { headers: { token } });
  return ((await answer.json()) as unknown[]).length;
}

journey("a failed charge is paid at once, and once", async (visit, site) => {
  const member = await fallBehind(site, "pm_card_visa");
  await opens(visit, member);
  await visit.button("Update my card").waitFor();
  await visit.looksRight();
  await visit.looksRightInTheDark();
  await visit.fitsEverywhere();
  const held = new AbortController();
  await visit.page.route("**/api/user/pledge/pay", async (route) => {
    await once(held.signal, "abort");
    await route.continue();
  });
  await visit.button("Pay $10 now").dblclick();
  await visit.button("Processing...").waitFor();
  held.abort();
  await visit.isTold("Your contribution is paid. Thank you.");
  await visit.seesNot(FAILED);
  expect(await payments(site, member)).toBe(2);
});

journey("French members pay a failed charge too", async (visit, site) => {
  await visit.signInAs(await fallBehind(site, "pm_card_visa"));
  await visit.go("/dashboard?lang=fr");
  await visit.button("Changer ma carte").waitFor();
  await visit.fitsEverywhere();
  await visit.press(/^Payer 10.\$( US)? maintenant$/);
  await visit.isTold("Votre contribution est payée. Merci.");
});

journey("a card that is refused again names the reason, and the retries stay", async (visit, site) => {
  await opens(visit, await fallBehind(site, "pm_card_chargeCustomerFail"));
  visit.expectRefusal(402, "/user/pledge/pay");
  await visit.press("Pay $10 now");
  await visit.sees("Your card was declined.");
  await visit.sees("Try another card, or contact your bank. You have not been charged.");
  await visit.sees(/We'll try again on/);
  await visit.button("Update my card").waitFor();
  await visit.looksRight();
});

journey("a bank that asks is answered on the page", async (visit, site) => {
  const member = await fallBehind(site, "pm_card_authenticationRequired");
  await opens(visit, member);
  await visit.press("Pay $10 now");
  await visit.dialog.getByRole("button", { name: "Decline", exact: true }).click();
  await visit.sees(/We are unable to authenticate your payment method/);
  expect(await payments(site, member)).toBe(1);
  await visit.press("Pay $10 now");
  await visit.dialog.getByRole("button", { name: "Confirm the payment" }).click();
  await visit.isTold("Your contribution is paid. Thank you.");
  await visit.seesNot(FAILED);
  expect(await payments(site, member)).toBe(2);
});

journey("a press without an answer is pressed again, and pays once", async (visit, site) => {
  const member = await fallBehind(site, "pm_card_visa");
  await opens(visit, member);
  await visit.page.context().setOffline(true);
  visit.expectLosses(/\/api\/|\/toast-region-/);
  await visit.press("Pay $10 now");
  await visit.sees("We got no answer.");
  await visit.page.context().setOffline(false);
  await visit.press("Pay $10 now");
  await visit.isTold("Your contribution is paid. Thank you.");
  expect(await payments(site, member)).toBe(2);
});

journey("a press whose answer was lost, or after another tab, finds the charge paid", async (visit, site) => {
  const [first, second] = [await fallBehind(site, "pm_card_visa"), await fallBehind(site, "pm_card_visa")];
  await opens(visit, first);
  await visit.loseAnswer("/user/pledge/pay");
  await visit.press("Pay $10 now");
  await visit.seesNot(FAILED);
  expect(await payments(site, first)).toBe(2);
  await visit.page.evaluate((token) => localStorage.setItem("token", token), second.token);
  await visit.go("/dashboard");
  await visit.page.getByRole("region", { name: FAILED }).waitFor();
  await site.post("/user/pledge/pay", {}, second.token);
  await visit.press("Pay $10 now");
  await visit.isTold("Your contribution is paid. Thank you.");
  expect(await payments(site, second)).toBe(2);
});
