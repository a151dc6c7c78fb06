import { expect } from "vitest";
import { newPerson, type Person } from "./organisation.ts";
import type { Visit } from "./visit.ts";

export const GOOD_CARD = "4242 4242 4242 4242";

/** A day of the month to pay on that is never today: the later of those that may be chosen. */
export const LATER_DAY = new Date().getUTCDate() < 15 ? 28 : 1;

/** Completes step 1 of joining as a new person. */
export async function introduceSomebody(visit: Visit): Promise<Omit<Person, "token">> {
  const person = newPerson();
  await visit.go("/join");
  expect(await visit.button("Next").isDisabled(), "Next, with nothing typed").toBe(true);
  await typePerson(visit, person);
  await visit.sees("Agree to the privacy policy to continue.");
  await visit.field(/I agree to the/).check();
  expect(await visit.button("Back").count(), "ways back from the first step").toBe(0);
  await visit.press("Next");
  await visit.arrivesAt("/join?step=2");
  await visit.button("Back").waitFor();
  return person;
}

/** Types who somebody is in step 1 of joining, but for the consent. */
export async function typePerson(visit: Visit, person: Omit<Person, "token">): Promise<void> {
  await visit.field("First name").fill(person.firstname);
  await visit.field("Last name").fill(person.lastname);
  await visit.field("Email").fill(person.email);
  await visit.field("Password").fill(person.password);
  await visit.field("Country").selectOption("Ghana");
}

/** Types a card into the sandbox card form. */
export async function typeCard(visit: Visit, number: string): Promise<void> {
  await visit.field("Card number").fill(number);
  await visit.field("Expiry").fill("0939");
  await visit.field("CVC").fill("123");
}

/** Waits for the screen after paying. */
export async function seesWoven(visit: Visit): Promise<void> {
  await visit.page.getByRole("heading", { level: 1, name: /\bsquare\b/ }).waitFor();
}

/** Waits for the success message and, three seconds later, the dashboard (spec §9). */
export async function seesDashboardSoon(visit: Visit, firstname: string): Promise<void> {
  await seesWoven(visit);
  await visit.isTold("Payment successful");
  await visit.arrivesAt("/dashboard");
  await visit.page.getByRole("heading", { name: firstname }).waitFor();
  // Measured by the browser's clock: on a busy machine events reach the test late.
  const waited = await visit.page.evaluate(() => {
    const calls = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    const last = (call: string) => calls.findLast(({ name }) => name.endsWith(call));
    return (last("/user/get-profile")?.startTime ?? 0) - (last("/register")?.responseEnd ?? 0);
  });
  expect(waited, "milliseconds until the dashboard").toBeGreaterThan(2900);
}
