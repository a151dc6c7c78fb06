import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { EngineVisit } from "./support/engine-visit.ts";
import { startFirefox, startWebKit } from "./support/engines.ts";
import { GOOD_CARD } from "./support/joining.ts";
import { newPerson, Organisation } from "./support/organisation.ts";
import { addressOf, everyAddress, MEMBER_PAGES } from "./support/pages.ts";

// What people come for, in the two engines that are not Chromium's: join, vote, check the
// receipt, donate. Only `nox -s full` runs it.

const ENGINES = { Firefox: startFirefox, WebKitGTK: startWebKit };
const PHONE = [500, 844] as const; // the narrowest window that Firefox makes
const DESKTOP = [1440, 900] as const;

let site: Organisation;
beforeAll(async () => {
  site = await Organisation.serve(inject("organisation"));
});
afterAll(() => site.stop());

describe.each(Object.entries(ENGINES))("%s", (name, start) => {
  const journey = (title: string, way: (visit: EngineVisit) => Promise<void>) => {
    // One after the other: the keyboard of a busy WebKitGTK loses strokes.
    test.sequential.each([PHONE, DESKTOP])(`${title} at %i x %i`, async (width, height) => {
      const window = await start();
      try {
        await window.resize(width, height);
        await way(new EngineVisit(window, site.origin));
      } finally {
        await window.close();
      }
    });
  };

  journey("somebody joins and pays today", async (visit) => {
    const person = newPerson();
    await visit.go("/join");
    await visit.type("First name", person.firstname);
    await visit.type("Last name", person.lastname);
    await visit.type("Email", person.email);
    await visit.type("Password", person.password);
    await visit.type("Country", "Ghana");
    await visit.check("I agree to the");
    await visit.fits();
    await visit.press("Next");
    await visit.press("$20");
    await visit.check("Today");
    await visit.press("Next");
    await visit.sees("You will be charged $20.00 USD today");
    await typeCard(visit);
    await visit.press("Join Jara");
    await visit.arrivesAt("/dashboard");
    await visit.sees(person.firstname);
    await visit.fits();
  });

  journey("a member votes, and the receipt passes before and after the close", async (visit) => {
    const end = new Date(Date.now() + 3_600_000);
    const slug = await site.openProposal(`Shade for the ${name} market ${end.getTime()}`, end);
    const { token } = await site.newMember();
    await visit.signInAs(token);
    await visit.go(`/proposals/${slug}`);
    await visit.press("Cast Vote");
    await visit.press("No");
    await visit.press("Vote no. This is final.");
    await visit.sees("Your vote has been counted...");
    await visit.go(`/proposals/${slug}`);
    await visit.press("Check my vote");
    await visit.sees("Promised; listed on");
    await visit.fits();
    // However slow this machine is, the vote is open until now.
    await site.jara("--now", new Date(end.getTime() + 1000).toISOString(), "proposals", "close", slug);
    await visit.go(`/proposals/${slug}`);
    await visit.press("Check my vote");
    await visit.sees("Listed, counted as no.");
    await visit.press("Check the whole log");
    await visit.sees("match today's signed state.");
  });

  journey("somebody gives once", async (visit) => {
    const { email } = newPerson();
    await visit.go("/donate");
    await visit.press("$25");
    await visit.type("Email", email);
    await typeCard(visit);
    await visit.fits();
    await visit.press("Donate $25");
    await visit.arrivesAt("/payment-success?amount=25");
    await visit.sees(`Your receipt is on its way to ${email}.`);
    await visit.fits();
  });
});

test("Firefox's console has no complaint of the security policy, on any page", async () => {
  const window = await startFirefox();
  try {
    const visit = new EngineVisit(window, site.origin);
    const asked = await Promise.all(everyAddress().map((address) => addressOf(site, address)));
    const hasNone = async (address: string) => {
      await window.open(`${site.origin}${address}`);
      await visit.settles();
      const messages = await window.consoleOfFirefox();
      expect({ address, messages: messages.filter((one) => one.includes("Content-Security-Policy")) })
        .toEqual({ address, messages: [] });
    };
    // The choice of a language holds for the pages after it.
    for (const page of ["/?lang=en", "/?lang=fr"]) {
      for (const address of [page, ...asked, "/field"]) await hasNone(address);
    }
    await visit.signInAs((await site.newMember()).token);
    for (const address of Object.values(MEMBER_PAGES)) await hasNone(address);
  } finally {
    await window.close();
  }
});

async function typeCard(visit: EngineVisit): Promise<void> {
  await visit.type("Card number", GOOD_CARD);
  await visit.type("Expiry", "0939");
  await visit.type("CVC", "123");
}
