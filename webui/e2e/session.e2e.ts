import { expect } from "vitest";
import { openSite } from "./support/journeys.ts";
import type { Person } from "./support/organisation.ts";
import type { Visit } from "./support/visit.ts";

const { journey } = openSite();

journey("a member signs in and out", async (visit, site) => {
  const member = await site.newMember();
  await visit.go("/login");
  await visit.link("Close and go to the home page").click();
  await visit.arrivesAt("/");
  await visit.go("/login");
  await visit.seesNot("Sign in with a passkey"); // no browser takes one for 127.0.0.1
  await visit.press("Sign in");
  await visit.field("Email").fill(member.email);
  await visit.press("Sign in");
  expect(visit.address, "an empty field does nothing").toBe("/login");
  await visit.field("Password").fill(member.password);
  await visit.press("Sign in");
  await visit.isTold("Login successful");
  await visit.arrivesAt("/");
  await visit.looksRight();
  await visit.go("/login");
  await visit.arrivesAt("/");
  await signOut(visit);
  await visit.link("Join").waitFor();
  // The token of the device opens nothing: with it a stranger's failed attempts delay nobody here.
  expect(await visit.page.evaluate(() => Object.keys(localStorage))).toEqual(["device"]);
});

journey("a wrong password and an unknown email get the same answer", async (visit, site) => {
  const member = await site.newMember();
  await visit.go("/login");
  visit.expectRefusal(401, "/user/login");
  const told = [];
  for (const email of [member.email, "nobody@example.org"]) {
    await visit.field("Email").fill(email);
    await visit.field("Password").fill("not the password");
    await visit.press("Sign in");
    const notice = visit.page.locator(".Toastify__toast").last();
    await notice.hover(); // so that it stays however slow the machine is
    told.push(await notice.textContent());
    await visit.looksRight();
    await notice.getByRole("button").click();
    await notice.waitFor({ state: "hidden" });
  }
  expect(told[0]).toBe(told[1]);
  await visit.press("Sign in with Google");
  await visit.isTold("This feature is not available yet");
});

journey("a forgotten password is reset with the link in the email", async (visit, site) => {
  const member = await site.newMember();
  await visit.go("/login");
  await visit.link("Having trouble signing in?").click();
  await visit.arrivesAt("/reset-password");
  await visit.field("Email").fill(member.email);
  await visit.press("Send me a link");
  await visit.sees("Check your email.");
  await visit.go(await site.linkInMailTo(member.email, "/reset-password"));
  await visit.field("New password").fill("a new and longer phrase");
  await visit.field("New password again").fill("another phrase");
  await visit.press("Set the new password");
  await visit.sees("The two passwords don't match.");
  await visit.looksRight();
  await visit.field("New password again").fill("a new and longer phrase");
  await visit.press("Set the new password");
  await visit.sees("Your password has been changed.");
  await visit.link("Sign in").click();
  await visit.field("Email").fill(member.email);
  await visit.field("Password").fill("a new and longer phrase");
  await visit.press("Sign in");
  await visit.isTold("Login successful");
});

journey("an expired session redirects to the sign-in page and says why", async (visit, site) => {
  const member = await site.newMember();
  await site.post("/user/logout-everywhere", {}, member.token);
  await visit.signInAs(member);
  visit.expectEndOfSignIn();
  await visit.go("/dashboard");
  await visit.arrivesAt("/login");
  await visit.isTold("Your sign-in has ended; please sign in again.");
  await visit.looksRight();
});

journey("after an expired session public pages stay readable", async (visit, site) => {
  visit.expectEndOfSignIn();
  for (const [path, text] of [
    ["/proposals", "Other proposals"],
    ["/impact", "Paid pledges"],
    ["/ledger", "Login to view"],
  ] as const) {
    const member = await site.newMember();
    await site.post("/user/logout-everywhere", {}, member.token);
    await visit.go("/terms");
    await visit.page.evaluate((token) => localStorage.setItem("token", token), member.token);
    await visit.go(path);
    await visit.isTold("Your sign-in has ended; please sign in again.");
    await visit.sees(text);
    expect(await visit.page.evaluate(() => localStorage.getItem("token"))).toBeNull();
  }
});

for (const [name, start] of Object.entries({
  ledger: "/ledger?q=bees",
  trace: "/my-impact",
  account: "/dashboard?tab=account",
  home: "/",
})) {
  journey(`signing in leads back to where one came from: ${name}`, async (visit, site) => {
    const member = await site.newMember();
    await visit.go(start);
    if (name !== "account") {
      await visit.page.waitForFunction(() => sessionStorage.getItem("page-before-login") !== null);
      await visit.page.goto(`${site.origin}/login`);
    }
    await visit.arrivesAt("/login");
    await signIn(visit, member);
    await visit.arrivesAt(start);
    await visit.go("/login");
    await visit.arrivesAt("/"); // with a token from before, the page leads home (spec §2)
  });
}

journey("signing in after a gift does not lead back to its thanks", async (visit, site) => {
  const member = await site.newMember();
  await visit.go("/ledger");
  await visit.go("/payment-success");
  await visit.page.goto(`${site.origin}/login`);
  await signIn(visit, member);
  await visit.arrivesAt("/ledger");
});

journey("a visitor who wants to vote is back at the vote after signing in", async (visit, site) => {
  const member = await site.newMember();
  const slug = await site.openProposal("Stalls with a roof for the market", new Date(Date.now() + 864e5));
  await visit.go(`/proposals/${slug}`);
  await visit.press("Cast Vote");
  await visit.dialog.getByRole("button", { name: "Yes", exact: true }).click();
  await visit.arrivesAt("/join");
  await visit.page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  await signIn(visit, member);
  await visit.arrivesAt(`/proposals/${slug}`);
});

journey("no address leads to another site after signing in", async (visit, site) => {
  const member = await site.newMember();
  visit.expectStatus(404, "//evil.example/x");
  await visit.go("//evil.example/x");
  await visit.link(/Go to the home page/).waitFor();
  await visit.page.evaluate(() => history.pushState(null, "", "/login"));
  await visit.page.reload();
  await signIn(visit, member);
  await visit.arrivesAt("/");
});

journey("the member area asks a visitor to sign in", async (visit) => {
  await visit.go("/dashboard");
  await visit.arrivesAt("/login");
});

async function signIn(visit: Visit, { email, password }: Person): Promise<void> {
  await visit.field("Email").fill(email);
  await visit.field("Password").fill(password);
  await visit.press("Sign in");
  await visit.isTold("Login successful");
}

async function signOut(visit: Visit): Promise<void> {
  if (visit.narrow) await visit.press("Open menu");
  await visit.press("Sign Out");
}
