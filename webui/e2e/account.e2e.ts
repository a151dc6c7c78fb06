import { expect } from "vitest";
import { openSite } from "./support/journeys.ts";
import type { Visit } from "./support/visit.ts";

const { journey } = openSite();
const NEW_PASSWORD = "a new and longer phrase";

journey("name and email are changed in their rows, or left alone", async (visit, site) => {
  // One after the other: a small server answers few sign-ups at once.
  const member = await site.newMember();
  const other = await site.newMember();
  await visit.signInAs(member);
  await visit.go("/dashboard?tab=account");
  await visit.press("Update name");
  await visit.field("First name").fill("Yaa");
  await visit.looksRight();
  await visit.press("Update");
  await visit.sees(`Yaa ${member.lastname}`);
  await visit.press("Update name");
  await visit.field("First name").fill("Nobody");
  await visit.press("Cancel");
  await visit.sees(`Yaa ${member.lastname}`);

  await visit.press("Update email");
  await visit.field("New email").fill(other.email);
  visit.expectRefusal(409, "/user/update-profile");
  await visit.press("Update");
  await visit.isTold("Another account has this email address.");
  const changed = `new.${member.email}`;
  await visit.field("New email").fill(changed);
  await visit.press("Update");
  await visit.sees(changed);
  await visit.page.reload();
  await visit.sees(changed);
});

journey("a new password works and the old one does not", async (visit, site) => {
  const member = await site.newMember();
  await visit.signInAs(member);
  await visit.go("/dashboard?tab=account");
  await visit.press("Update password");
  await visit.field("New password").fill(NEW_PASSWORD);
  await visit.field("New password again").fill("something else");
  await visit.press("Update");
  await visit.sees("The two passwords don't match.");
  await visit.looksRight();
  await visit.field("New password again").fill(NEW_PASSWORD);
  await visit.press("Update");
  await visit.button("Update password").waitFor();
  await visit.settle();
  await visit.press("Logout");
  await visit.arrivesAt("/");
  await visit.go("/login");
  visit.expectRefusal(401, "/user/login");
  await signIn(visit, member.email, member.password);
  await visit.isTold("The email address or the password is wrong.");
  await signIn(visit, member.email, NEW_PASSWORD);
  await visit.isTold("Login successful");
});

journey("an old session is asked for the password before changes and before closing", async (visit, site) => {
  const member = await site.withOldSignIn(await site.newMember());
  await visit.signInAs(member);
  await visit.go("/dashboard?tab=account");
  visit.expectRefusal(403, "/user/update-profile");
  await visit.press("Update email");
  const changed = `new.${member.email}`;
  await visit.field("New email").fill(changed);
  await visit.press("Update");
  await visit.isTold("Please enter your current password to continue.");
  await visit.looksRight();
  await visit.field("Current password").fill("not the password");
  await visit.press("Update");
  await visit.sees("This is not your current password.");
  await visit.field("Current password").fill(member.password);
  await visit.press("Update");
  await visit.button("Update email").waitFor();
  await visit.sees(changed);
  await visit.page.reload();
  await visit.sees(changed);
});

journey("an old session needs the password to change it", async (visit, site) => {
  const member = await site.withOldSignIn(await site.newMember());
  await visit.signInAs(member);
  await visit.go("/dashboard?tab=account");
  visit.expectRefusal(403, "/user/update-profile");
  await visit.press("Update password");
  await visit.field("New password").fill(NEW_PASSWORD);
  await visit.field("New password again").fill(NEW_PASSWORD);
  await visit.press("Update");
  await visit.field("Current password").fill(member.password);
  expect(await visit.field("New password").inputValue(), "what was typed").toBe(NEW_PASSWORD);
  await visit.press("Update");
  await visit.button("Update password").waitFor();
  await site.post("/user/login", { email: member.email, password: NEW_PASSWORD });
});

journey("an old session needs the password to close the account", async (visit, site) => {
  const member = await site.withOldSignIn(await site.newMember());
  await visit.signInAs(member);
  await visit.go("/dashboard?tab=account");
  visit.expectRefusal(403, "/user/delete-account");
  await visit.press("Close account");
  await visit.dialog.getByRole("button", { name: "Close account" }).click();
  await visit.dialog.getByLabel("Current password").fill(member.password);
  await visit.looksRight();
  await visit.dialog.getByRole("button", { name: "Close account" }).click();
  await visit.arrivesAt("/");
  expect(await visit.page.evaluate(() => localStorage.getItem("token"))).toBeNull();
});

journey("the newsletter switch is stored", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  await visit.go("/dashboard?tab=account");
  const toggle = visit.page.getByRole("switch", { name: "Subscribe to updates" });
  expect(await toggle.getAttribute("aria-checked")).toBe("false");
  await toggle.click();
  await visit.sees("ON");
  await visit.settle();
  await visit.page.reload();
  await visit.sees("ON");
});

journey("an account is closed after a confirmation", async (visit, site) => {
  const member = await site.newMember();
  await visit.signInAs(member);
  await visit.go("/dashboard?tab=account");
  await visit.press("Close account");
  await visit.dialog.getByText("Your $10 monthly contribution stops today.").waitFor();
  await visit.looksRight();
  await visit.dialog.getByRole("button", { name: "Cancel" }).click();
  await visit.dialog.waitFor({ state: "detached" });
  await visit.press("Close account");
  await visit.dialog.getByRole("button", { name: "Close account" }).click();
  await visit.arrivesAt("/");
  await visit.go("/login");
  visit.expectRefusal(401, "/user/login");
  await signIn(visit, member.email, member.password);
  await visit.isTold("The email address or the password is wrong.");
});

journey("a member exports their data and signs out everywhere", async (visit, site) => {
  const member = await site.newMember();
  await visit.signInAs(member);
  await visit.go("/dashboard?tab=account");
  const [download] = await Promise.all([
    visit.page.waitForEvent("download"),
    visit.press("Download"),
  ]);
  expect(download.suggestedFilename()).toBe("jara-my-data.json");
  await visit.press("Sign out everywhere");
  await visit.arrivesAt("/");
  const answer = await fetch(new URL("/api/user/get-profile", visit.page.url()), {
    headers: { token: member.token },
  });
  expect(answer.status, "the old token").toBe(401);
});

async function signIn(visit: Visit, email: string, password: string): Promise<void> {
  await visit.field("Email").fill(email);
  await visit.field("Password").fill(password);
  await visit.press("Sign in");
}
