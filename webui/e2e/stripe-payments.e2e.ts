import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { introduceSomebody, seesDashboardSoon } from "./support/joining.ts";
import { openSite } from "./support/journeys.ts";
import type { Visit } from "./support/visit.ts";

const KEYS = {
  JARA_STRIPE_SECRET_KEY: "sk_test_stand_in",
  JARA_STRIPE_PUBLISHABLE_KEY: "pk_test_stand_in",
  JARA_STRIPE_WEBHOOK_SECRET: "whsec_Stands7Kq2Zt9Vw4Lm1Xb6Hd3",
};
const STRIPE = "https://js.stripe.com";

// The server's Stripe keys are fake, so the test answers payment calls itself.
const { journey } = openSite(KEYS, async (context) => {
  const script = await readFile(new URL("support/fake-stripe.js", import.meta.url), "utf8");
  await context.route(`${STRIPE}/**`, (route) =>
    route.fulfill({ contentType: "text/javascript", body: script }),
  );
});

journey("Stripe's script is loaded only where a card is taken", async (visit) => {
  for (const path of ["/", "/ledger", "/proposals", "/join"]) await visit.go(path);
  visit.allow(STRIPE);
  await visit.go("/donate");
  await visit.sees("Card of the stand-in");
  await visit.seesNot("Sandbox payments");
});

journey("somebody joins with Stripe's card form and confirms with the bank", async (visit, site) => {
  visit.allow(STRIPE);
  const { token } = await site.ama();
  const sent: Record<string, unknown>[] = [];
  await visit.page.route("**/api/register", async (route) => {
    sent.push(route.request().postDataJSON() as Record<string, unknown>);
    const answer = { success: true, token, message: "", requiresAction: true };
    await route.fulfill({
      status: 202,
      json: { ...answer, intentType: "payment", clientSecret: "pi_stand_in_secret" },
    });
  });
  const person = await introduceSomebody(visit);
  await visit.press("$20");
  await visit.press("Next");
  await visit.field("Card of the stand-in").fill("0002");
  await visit.looksRight();
  await visit.press("Join Jara");
  await visit.sees("Your card number is incomplete.");
  expect(sent, "nothing is sent with a card that is none").toEqual([]);
  await visit.field("Card of the stand-in").fill("4242");
  await visit.press("Join Jara");
  await seesDashboardSoon(visit, "Ama");

  expect(sent).toMatchObject([
    { email: person.email, contribution: "20", billingDay: "current", paymentMethodId: "pm_stand_in" },
  ]);
  const calls = await stripeCalls(visit);
  expect(calls["Stripe"]).toEqual({ key: KEYS.JARA_STRIPE_PUBLISHABLE_KEY });
  // Spec §7: subscription mode, cents, usd, payment methods made by hand.
  expect(calls["elements"]).toMatchObject({
    mode: "subscription",
    amount: 2000,
    currency: "usd",
    paymentMethodCreation: "manual",
  });
  expect(calls["createPaymentMethod"]).toEqual({
    billing_details: { name: `${person.firstname} ${person.lastname}`, email: person.email },
  });
  expect(calls["handleNextAction"]).toEqual({ clientSecret: "pi_stand_in_secret" });
});

/** The arguments of the last call of each of Stripe's functions, by name. */
async function stripeCalls(visit: Visit): Promise<Record<string, unknown>> {
  type Calls = readonly { readonly name: string; readonly details: unknown }[];
  const calls = await visit.page.evaluate(
    () => (window as unknown as { stripeCalls: Calls }).stripeCalls,
  );
  return Object.fromEntries(calls.map(({ name, details }) => [name, details]));
}
