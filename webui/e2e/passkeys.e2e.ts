import { plugInAuthenticator } from "./support/authenticator.ts";
import { openSite } from "./support/journeys.ts";

// A passkey belongs to a name, so browsers refuse one for an address in numbers.
const { journey } = openSite({}, undefined, "localhost");

journey("a passkey signs in until it is removed", async (visit, site) => {
  await plugInAuthenticator(visit);
  const member = await site.newMember();
  await visit.signInAs(member);
  await visit.go("/dashboard?tab=account");
  await visit.field("Name").fill("Kofi's key");
  await visit.press("Add a passkey");
  await visit.sees("Kofi's key");
  await visit.looksRight();
  await visit.press("Logout");
  await visit.arrivesAt("/");

  await visit.go("/login");
  await visit.press("Sign in with a passkey");
  await visit.isTold("Login successful");
  await visit.go("/dashboard?tab=account");
  await visit.sees(member.lastname);

  await visit.press("Remove");
  await visit.seesNot("Kofi's key");
  await visit.press("Logout");
  await visit.arrivesAt("/");
  await visit.go("/login");
  visit.expectRefusal(401, "/user/login/passkey");
  await visit.press("Sign in with a passkey");
  await visit.isTold(/passkey/i);
});
