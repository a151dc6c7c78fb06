import type { Organisation, Person } from "./organisation.ts";

let before: Promise<unknown> = Promise.resolve();

/** A member whose newest charge failed and who has put another card in its place. */
export function fallBehind(site: Organisation, card: string): Promise<Person> {
  // One after the other: the charges of everybody are made at once.
  const now = before.then(() => failToPay(site, card));
  before = now;
  return now;
}

async function failToPay(site: Organisation, card: string): Promise<Person> {
  const member = await site.newMember();
  await site.put("/user/pledge", { paymentMethodId: "pm_card_chargeCustomerFail" }, member.token);
  const until = new Date();
  until.setUTCMonth(until.getUTCMonth() + 1, until.getUTCDate() + 1);
  await site.jara("pledges", "charge", "--until", until.toISOString().slice(0, 10));
  await site.put("/user/pledge", { paymentMethodId: card }, member.token);
  return member;
}
