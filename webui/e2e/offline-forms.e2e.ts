import { afterAll } from "vitest";
import { paths } from "@/lib/page/paths";
import { plugInAuthenticator } from "./support/authenticator.ts";
import { fallBehind } from "./support/failed-charge.ts";
import { GOOD_CARD, introduceSomebody, typeCard, typePerson } from "./support/joining.ts";
import { openSite } from "./support/journeys.ts";
import { newPerson } from "./support/organisation.ts";
import { everyModuleWasPressed, LOST, losesNetwork } from "./support/outage.ts";
import { addressOf } from "./support/pages.ts";
import type { Visit } from "./support/visit.ts";

// Offline at the press: the error stands in one place, covers no control of its form, and is gone with
// the outage. Each module of the site that asks the server by itself is pressed here.

// Passkeys belong to a name, not to an address in numbers.
const { journey } = openSite({}, undefined, "localhost");

afterAll(everyModuleWasPressed);

journey("offline, each form of a visitor says so in one place until the network is back", async (visit) => {
  await visit.go("/login");
  await visit.field("Email").fill("ama.mensah@example.org");
  await visit.field("Password").fill("kente-harbour-sunrise");
  await losesNetwork(visit, "features/session/login-form.tsx", () => visit.press("Sign in"));
  await losesNetwork(visit, "lib/passkeys/ceremony.ts", () => visit.press("Sign in with a passkey"));
  await visit.go("/reset-password");
  await visit.field("Email").fill("ama.mensah@example.org");
  await losesNetwork(visit, "features/session/ask-for-reset.tsx", () => visit.press("Send me a link"));
  await visit.go("/faqs");
  const news = visit.page.getByRole("contentinfo");
  await news.getByLabel("Email").fill("news@example.org");
  await losesNetwork(visit, "features/newsletter/newsletter-form.tsx", () => news.getByRole("button", { name: "Join" }).click());
  for (const page of ["/stop-pledge", "/newsletter/confirm", "/newsletter/unsubscribe", "/partners/confirm", "/confirm-address", "/agree-address", "/undo-change"]) {
    await visit.go(`${page}?code=none`);
    await losesNetwork(visit, "components/code-page/code-page.tsx", () => visit.page.getByRole("main").getByRole("button").first().click());
  }
});

journey("offline, the links of emails say so in one place", async (visit, site) => {
  const member = await site.newMember();
  await site.post("/user/forgot-password", { email: member.email });
  await visit.go(await site.linkInMailTo(member.email, "/reset-password"));
  await visit.field("New password").fill("kente harbour sunrise two");
  await visit.field("New password again").fill("kente harbour sunrise two");
  await losesNetwork(visit, "features/session/set-new-password.tsx", () => visit.press(/^Set/));
  await visit.go(await site.linkInMailTo(member.email, "/emails"));
  await losesNetwork(visit, "app/routes/emails.tsx", () => visit.press("Save"));
});

journey("offline, each step of joining says so in one place", async (visit, site) => {
  await site.jara("payments", "ways", "set", "transfer", "--account", "assets:bank", "--iban", "DE89 3704 0044 0532 0130 00", "--holder", "Jara e.V.", "--euro");
  const person = newPerson();
  await visit.go("/join");
  await typePerson(visit, person);
  await visit.field(/I agree to the/).check();
  await losesNetwork(visit, "features/joining/introduce-step.tsx", () => visit.press("Next"));
  await visit.press("Next");
  await visit.arrivesAt("/join?step=2");
  await visit.press("Next");
  await visit.field(/^Bank transfer/).check();
  await losesNetwork(visit, "features/joining/promise-step.tsx", () => visit.press("Join and see how to pay"), true);
  await visit.press("Join and see how to pay");
  await visit.sees("Your promise is noted");
});

journey("offline, joining with a card says so in one place", async (visit) => {
  await introduceSomebody(visit);
  await visit.press("Next");
  await typeCard(visit, GOOD_CARD);
  await losesNetwork(visit, "features/joining/use-join-payment.ts", () => visit.press("Join Jara"), true);
  await visit.press("Join Jara");
  await visit.seesNot(LOST);
});

// Gifts from one address are limited, so one width is enough.
journey("offline, a gift and its question say so in one place, until the next try", async (visit, site) => {
  await site.jara("payments", "ways", "set", "mobile", "--account", "assets:bank", "--details", "To 024 000 0000.");
  await visit.go("/donate");
  await visit.field("Email").first().fill("kofi@example.org");
  await visit.field(/^Mobile money/).check();
  await losesNetwork(visit, "features/donating/gift-promise.tsx", () => visit.press("Show me how to pay"), true);
  await visit.press("Show me how to pay");
  await visit.sees("To 024 000 0000.");
  await visit.go("/donate");
  await visit.field("Email").first().fill("kofi@example.org");
  await typeCard(visit, "4000 0027 6000 3184");
  await losesNetwork(visit, "features/donating/gift-form.tsx", () => visit.press(/^Donate \$/), true);
  await visit.press(/^Donate \$/);
  await visit.seesNot(LOST);
  await visit.dialog.getByText("Confirm with your bank").waitFor();
  await losesNetwork(visit, "lib/payments/payment-answer.ts", () => visit.press("Confirm the payment"));
  await visit.press("Confirm the payment");
  await visit.arrivesAt("/payment-success?amount=25");
  await visit.go(await addressOf(site, paths.entryPattern));
  await losesNetwork(visit, "features/receipts/check-line.ts", () => visit.press("Check it in this browser"));
}, [390]);

journey("offline, a vote and its check say so in one place", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  await visit.go("/proposals/beekeeping-kits-for-24-farming-families");
  await visit.press("Cast Vote");
  await visit.dialog.getByRole("button", { name: "Yes", exact: true }).click();
  const yes = visit.dialog.getByRole("button", { name: "Vote yes. This is final." });
  await losesNetwork(visit, "features/voting/api.ts", () => yes.click(), true);
  await yes.click();
  await visit.dialog.getByText("Your vote has been counted...").waitFor();
  await visit.go("/check-vote");
  const check = () => visit.press("Check my vote on “Beekeeping kits for 24 farming families”");
  await check();
  await visit.button("Check the whole log").waitFor();
  await losesNetwork(visit, "features/receipts/use-log-check.ts", () => visit.press("Check the whole log"));
  await losesNetwork(visit, "features/receipts/use-receipt-check.ts", check);
});

journey("offline, each form of a dashboard says so in one place until the network is back", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  await visit.go("/dashboard");
  await visit.press("Change it");
  await visit.field("New monthly amount").fill("25");
  await losesNetwork(visit, "features/pledge/amount-editor.tsx", () => visit.press("Update"));
  await losesNetwork(visit, "features/dashboard/todo-list.tsx", () => visit.page.getByRole("checkbox", { name: /Invite a friend/ }).click());
  await visit.go("/my-impact");
  await losesNetwork(visit, "features/tracing/statement-download.tsx", () => visit.press("Download the statement"));
  await visit.go("/ledger");
  await losesNetwork(visit, "features/ledger/use-transactions.ts", () => visit.press("Show more transactions"));
  const files = visit.page.getByRole("region", { name: "Download", exact: false }).getByRole("button");
  await losesNetwork(visit, "features/ledger/ledger-exports.tsx", () => files.first().click());
  await visit.go("/sandbox/billing");
  await typeCard(visit, GOOD_CARD);
  await losesNetwork(visit, "features/sandbox-billing/replace-card.tsx", () => visit.press("Use this card from now on"), true);
  await visit.go("/sandbox/billing");
  await visit.press("Stop my pledge");
  await losesNetwork(visit, "features/sandbox-billing/cancel-pledge.tsx", () => visit.press("Are you sure? Press again to stop."));
});

journey("offline, each row of an account says so in one place until the network is back", async (visit, site) => {
  const member = await site.newMember();
  await site.post("/user/login", { email: member.email, password: member.password });
  await plugInAuthenticator(visit);
  await visit.signInAs(member);
  await visit.go("/dashboard?tab=account");
  await losesNetwork(visit, "features/pledge/pledge-plan.tsx", () => visit.press("Skip it"));
  await losesNetwork(visit, "features/pledge/pledge-plan.tsx", () => visit.press("Pause my pledge"));
  await visit.page.getByRole("radio", { name: /^28th/ }).check();
  await losesNetwork(visit, "features/pledge/pledge-plan.tsx", () => visit.press("Change the day"));
  await visit.press("Stop my pledge");
  await losesInDialog(visit, "features/pledge/stop-pledge.tsx", "Stop my pledge");
  await visit.press("Close account");
  await losesInDialog(visit, "features/account/close-account.tsx", "Close account");
  for (const row of ["name", "email", "country", "password"]) {
    await visit.press(`Update ${row}`);
    const form = visit.page.getByRole("form", { name: new RegExp(row, "i") });
    for (const field of await form.locator("input[type=password]").all()) await field.fill("kente harbour sunrise two");
    await losesNetwork(visit, "features/account/detail-row.tsx", () => form.getByRole("button", { name: "Update", exact: true }).click());
    await visit.press("Cancel");
  }
  await losesNetwork(visit, "features/account/account-rows.tsx", () => visit.page.getByRole("switch").click());
  await losesNetwork(visit, "features/account/account-rows.tsx", () => visit.press("Save"));
  // A new tab would have a network.
  await visit.page.evaluate(() => Object.assign(window, { open: () => null }));
  await losesNetwork(visit, "lib/member/use-billing.ts", () => visit.press("Open billing"));
  await losesNetwork(visit, "features/account/language-row.tsx", () => visit.button("Français").click());
  await losesNetwork(visit, "features/account/device-rows.tsx", () => visit.press("Sign out"));
  await visit.field("Name").fill("Efua's key");
  await losesNetwork(visit, "lib/passkeys/ceremony.ts", () => visit.press("Add a passkey"));
  await visit.press("Add a passkey");
  await losesNetwork(visit, "features/account/passkey-rows.tsx", () => visit.press("Remove"));
  await losesNetwork(visit, "features/account/data-rows.tsx", () => visit.press("Download"));
  await losesNetwork(visit, "features/account/data-rows.tsx", () => visit.press("Sign out everywhere"));
});

journey("offline, each state of a pledge says so in one place", async (visit, site) => {
  const member = await site.newMember();
  await visit.signInAs(member);
  await site.put("/user/pledge", { paused: true }, member.token);
  await visit.go("/dashboard");
  await losesNetwork(visit, "features/pledge/pledge-state.tsx", () => visit.press("Resume my pledge"));
  await site.put("/user/pledge", { canceled: true }, member.token);
  await visit.go("/dashboard");
  await visit.press("Start my pledge");
  await typeCard(visit, GOOD_CARD);
  const start = visit.page.getByRole("main").locator("form").getByRole("button", { name: "Start my pledge" });
  await losesNetwork(visit, "features/pledge/use-start-pledge.ts", () => start.click(), true);
  await site.jara("payments", "ways", "set", "transfer", "--account", "assets:bank", "--iban", "DE89 3704 0044 0532 0130 00", "--holder", "Jara e.V.", "--euro");
  await site.put("/user/pledge", { way: "transfer" }, member.token);
  await visit.go("/dashboard");
  await visit.press("Change amount or way");
  await losesNetwork(visit, "features/pledge/promise-form.tsx", () => visit.press("Update"));
});

journey("offline, paying a failed charge says so in one place, until the next try", async (visit, site) => {
  await visit.signInAs(await fallBehind(site, "pm_card_visa"));
  await visit.go("/dashboard");
  await losesNetwork(visit, "features/pledge/pay-now.tsx", () => visit.press("Pay $10 now"), true);
  await visit.press("Pay $10 now");
  await visit.isTold("Your contribution is paid. Thank you.");
  await visit.seesNot(LOST);
});

async function losesInDialog(visit: Visit, module: string, name: string): Promise<void> {
  const button = visit.dialog.getByRole("button", { name });
  await button.waitFor();
  await losesNetwork(visit, module, () => button.click());
  await visit.page.keyboard.press("Escape");
  await visit.dialog.waitFor({ state: "detached" });
}
