import { once } from "node:events";
import { expect } from "vitest";
import { GOOD_CARD, introduceSomebody, seesDashboardSoon, seesWoven, typeCard, typePerson } from "./support/joining.ts";
import { openSite } from "./support/journeys.ts";
import { newPerson } from "./support/organisation.ts";
import { until } from "./support/wait-until.ts";

// Interruptions: network loss, the Back button, other tabs, an expired session.

const { journey } = openSite();
const ENDED = "Your sign-in has ended; please sign in again.";

journey("offline, the first notice still shows and the form keeps its values", async (visit) => {
  await visit.go("/login");
  await visit.field("Email").fill("ama.mensah@example.org");
  await visit.field("Password").fill("kente-harbour-sunrise");
  await visit.settle();
  await visit.page.context().setOffline(true);
  visit.expectLoss("/user/login");
  await visit.press("Sign in");
  await visit.isTold("We could not reach Jara.");
  expect(await visit.field("Email").inputValue()).toBe("ama.mensah@example.org");
  await visit.page.context().setOffline(false);
  await visit.press("Sign in");
  await visit.isTold("Login successful");
});

journey("the menu opens offline, and the page stays", async (visit) => {
  await visit.go("/");
  await visit.settle();
  // On a slow machine pictures below the window are still on their way.
  visit.expectLosses(/\/assets\/(?:toast-region-|art-)/);
  await visit.page.context().setOffline(true);
  await visit.press("Open menu");
  await visit.page.getByRole("dialog").getByRole("link", { name: "Projects" }).waitFor();
  expect(await visit.page.getByRole("heading", { level: 1 }).count()).toBe(1);
}, [390]);

journey("a part that does not load says so, and comes when the network returns", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  await visit.go("/dashboard");
  await visit.settle();
  await visit.page.route("**/assets/account-tab-*.js", (route) => route.abort("internetdisconnected"));
  visit.expectLosses(/\/assets\/account-tab-/);
  await visit.page.getByRole("tab", { name: "Account" }).click();
  await visit.page.getByText("This part did not load.").waitFor();
  await visit.page.unroute("**/assets/account-tab-*.js");
  await visit.page.evaluate(() => window.dispatchEvent(new Event("online")));
  await visit.page.getByRole("heading", { name: "Your details" }).waitFor();
});

journey("a page whose code is gone after a redeploy says so, and reloads to the new one", async (visit) => {
  await visit.go("/faqs");
  await visit.settle();
  let tries = 0;
  await visit.page.route("**/assets/ledger-*.js", (route) => {
    tries += 1;
    return route.fulfill({ status: 404 });
  });
  visit.expectMissingFiles();
  visit.expectLosses(/\/assets\//);
  await visit.page.evaluate(() => {
    history.pushState(null, "", "/ledger");
    window.dispatchEvent(new PopStateEvent("popstate"));
  });
  await visit.sees("This page did not load.");
  await visit.page.getByRole("banner").getByRole("link", { name: "Jara" }).first().waitFor();
  expect(tries, "tries of the missing file").toBeGreaterThan(0);
  await visit.page.unroute("**/assets/ledger-*.js");
  await visit.press("Reload the page");
  await visit.page.getByRole("heading", { name: "LEDGER" }).waitFor();
});

journey("offline at the first step of joining nothing typed is lost", async (visit) => {
  const person = newPerson();
  await visit.go("/join");
  await typePerson(visit, person);
  await visit.field(/I agree to the/).check();
  await visit.page.context().setOffline(true);
  visit.expectLoss("/email-exists");
  await visit.press("Next");
  await visit.isTold("We could not reach Jara.");
  expect(await visit.field("Password").inputValue()).toBe(person.password);
  await visit.page.context().setOffline(false);
  await visit.press("Next");
  await visit.arrivesAt("/join?step=2");
});

journey("a vote without an answer may be cast, and counts once the network returns", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  await visit.go("/proposals");
  await visit.press("Cast Vote");
  await visit.dialog.getByRole("button", { name: "Yes" }).click();
  const yes = visit.dialog.getByRole("button", { name: "Vote yes. This is final." });
  await visit.page.context().setOffline(true);
  visit.expectLosses(/\/api\//);
  await yes.click();
  await visit.dialog.getByText("your vote may have been cast").waitFor();
  await visit.page.context().setOffline(false);
  await yes.click();
  await visit.dialog.getByText("Your vote has been counted...").waitFor();
});

for (const [firstname, lastname] of [
  ["محمد عبد الرحمن بن عبد العزيز", "الحسيني القحطاني"],
  ["Ọlájùmọ̀kẹ́ Ọmọ́tọ́lá", "Adéṣínà-Ògúnbánjọ"],
  ["ወለተ ጊዮርጊስ", "ገብረ መድኅን"],
  ["Wolfeschlegelsteinhausenbergerdorff", "Keihanaikukauakahihuliheekahaunaele"],
] as const) {
  journey(`the member area fits ${firstname}`, async (visit, site) => {
    await visit.signInAs(await site.newMember({ firstname, lastname }));
    await visit.go("/dashboard");
    // Names are stored in one form, whatever the keyboard wrote.
    await visit.page.getByRole("heading", { level: 1, name: firstname.normalize("NFC") }).waitFor();
    await visit.fitsEverywhere();
  });
}

journey("the page survives when the notice code cannot be loaded", async (visit) => {
  await visit.page.route("**/assets/toast-region-*", (route) => route.abort("internetdisconnected"));
  visit.expectLosses(/\/assets\/toast-region-/);
  await visit.go("/login");
  await visit.field("Email").fill("ama.mensah@example.org");
  await visit.press("Sign in with Google");
  await visit.settle();
  expect(await visit.field("Email").inputValue()).toBe("ama.mensah@example.org");
});

journey("Back does not leave a running or completed payment", async (visit) => {
  const { firstname } = await introduceSomebody(visit);
  await visit.press("Next");
  await typeCard(visit, GOOD_CARD);
  const held = new AbortController();
  await visit.page.route("**/api/register", async (route) => {
    await once(held.signal, "abort");
    await route.continue();
  });
  await visit.press("Join Jara");
  await visit.button("Processing...").waitFor();
  await visit.page.goBack();
  await visit.arrivesAt("/join?step=3");
  await visit.button("Processing...").waitFor();
  held.abort();
  await seesWoven(visit);
  await visit.page.goBack();
  await seesWoven(visit);
  await seesDashboardSoon(visit, firstname);
});

journey("the error of a refused password goes when it is changed", async (visit) => {
  const person = newPerson();
  await visit.go("/join");
  await visit.field("First name").fill(person.firstname);
  await visit.field("Last name").fill(person.lastname);
  await visit.field("Email").fill(person.email);
  await visit.field("Password").fill("short");
  await visit.field("Country").selectOption("Ghana");
  await visit.field(/I agree to the/).check();
  visit.expectRefusal(422, "/email-exists");
  await visit.press("Next");
  const isWrong = () => visit.field("Password").getAttribute("aria-invalid");
  await until(async () => expect(await isWrong()).toBe("true"));
  await visit.field("Password").fill(person.password);
  expect(await isWrong()).toBeNull();
});

journey("a tab follows sign-in and sign-out in another tab", async (visit, site) => {
  const [first, second] = await Promise.all([site.newMember(), site.newMember()]);
  await visit.signInAs(first);
  await visit.go("/dashboard?tab=account");
  await visit.sees(first.email);
  const other = await visit.page.context().newPage();
  await other.goto(`${site.origin}/terms`);
  await other.evaluate((token) => localStorage.setItem("token", token), second.token);
  await visit.sees(second.email);
  expect(await visit.page.getByText(first.email).count()).toBe(0);
  await other.evaluate(() => localStorage.removeItem("token"));
  await visit.arrivesAt("/login");
  await other.close();
});

journey("a session that ended elsewhere ends on the next action", async (visit, site) => {
  visit.expectEndOfSignIn();
  for (const [path, press, after] of [
    ["/dashboard", () => visit.page.getByRole("checkbox", { name: /Invite a friend/ }).click(), "/login"],
    ["/ledger", () => visit.press("CSV"), "/ledger"],
    ["/sandbox/billing", () => stopPledge(), "/sandbox/billing"],
  ] as const) {
    const member = await site.newMember();
    await visit.go("/terms");
    await visit.page.evaluate((token) => localStorage.setItem("token", token), member.token);
    await visit.go(path);
    await site.post("/user/logout-everywhere", {}, member.token);
    await press();
    await visit.isTold(ENDED);
    await visit.arrivesAt(after);
    expect(await visit.page.evaluate(() => localStorage.getItem("token")), path).toBeNull();
  }
  await visit.sees("Sign in to see your billing.");

  async function stopPledge(): Promise<void> {
    await visit.press("Stop my pledge");
    await visit.press("Are you sure? Press again to stop.");
  }
});

journey("Back leads to the same place among the projects", async (visit) => {
  await visit.go("/projects");
  await visit.press("Load More Projects");
  await visit.sees("Showing 9 of 9");
  const last = visit.page.getByRole("main").getByRole("link", { name: /View project/ }).last();
  await last.scrollIntoViewIfNeeded();
  const place = await visit.page.evaluate(() => window.scrollY);
  await last.click();
  await visit.sees("Fund capital used");
  await visit.page.goBack();
  await visit.sees("Showing 9 of 9");
  await until(async () => {
    const now = await visit.page.evaluate(() => window.scrollY);
    expect(Math.abs(now - place), "pixels from where one was").toBeLessThan(150);
  });
  await visit.page.reload();
  await visit.sees("Showing 9 of 9");
});

journey("addresses are case-sensitive", async (visit) => {
  visit.expectStatus(404, "/Projects");
  await visit.go("/Projects");
  await visit.sees("Error 404");
  await visit.looksRight();
});

for (const path of ["/dashboard", "/ledger", "/my-impact", "/sandbox/billing"]) {
  journey(`nothing moves when the answers are slow: ${path}`, async (visit, site) => {
    await visit.signInAs(await site.ama());
    await visit.page.route("**/api/**", async (route) => {
      await visit.page.waitForTimeout(800);
      await route.continue();
    });
    await visit.go(path);
    await visit.stayedStill();
  });
}
