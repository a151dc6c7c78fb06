import { expect } from "vitest";
import { GOOD_CARD, typeCard } from "./support/joining.ts";
import { openSite } from "./support/journeys.ts";
import { timeOf } from "./support/measure-shown.ts";
import { newPerson } from "./support/organisation.ts";

const { journey } = openSite();

journey("copying the message is confirmed for two seconds", async (visit) => {
  await visit.go("/share");
  const message = visit.dialog.getByLabel("Message");
  expect(await message.inputValue()).toMatch(/^Take a look @JoinJara - .+: http/);
  await message.fill("Come and vote with me.");
  const shown = await timeOf(visit, "button span", "Copied!");
  await visit.press("Copy");
  await visit.button("Copied!").waitFor();
  await visit.isTold("Text copied to clipboard");
  await visit.looksRight();
  await visit.button("Copy").waitFor();
  expect(await shown(), "milliseconds of 'Copied!'").toBeGreaterThan(1900);
  const text = await visit.page.evaluate(() => navigator.clipboard.readText());
  expect(text).toBe("Come and vote with me.");
  await visit.page.keyboard.press("Escape");
  await visit.arrivesAt("/");
});

journey("share buttons open the networks as specified", async (visit) => {
  await visit.go("/share");
  await visit.page.evaluate(() => {
    // Record what would be opened instead of leaving this machine.
    const opened: string[] = [];
    Object.assign(window, { opened });
    window.open = (address, target, features) => {
      opened.push([address, target, features].join(" "));
      return null;
    };
  });
  for (const network of ["X", "WhatsApp", "Facebook"]) await visit.press(network);
  const opened = await visit.page.evaluate(
    () => (window as unknown as { opened: string[] }).opened,
  );
  expect(opened[0]).toMatch(/^https:\/\/(x|twitter)\.com\/.*width=550.*height=420/);
  expect(opened[1]).toMatch(/^https:\/\/(wa\.me|api\.whatsapp\.com)\/.*_blank/);
  expect(opened[2]).toMatch(/^https:\/\/www\.facebook\.com\/.*width=550.*height=420/);
});

journey("somebody subscribes to the newsletter, confirms by email, and unsubscribes", async (visit, site) => {
  const email = `news.${visit.width}@example.org`;
  await visit.go("/faqs");
  await visit.field("Email address").fill(email);
  await visit.page.getByRole("contentinfo").getByRole("button", { name: "Join" }).click();
  await visit.sees(`Almost there. Open the link we sent to ${email}.`);
  await visit.looksRight();
  const link = await site.linkInMailTo(email, "/newsletter/confirm");
  await visit.go(link);
  await visit.press("Confirm my subscription");
  await visit.sees("You're on the list.");
  await visit.looksRight();
  visit.expectRefusal(422, "/newsletter/unsubscribe");
  await visit.go("/newsletter/unsubscribe?code=abc");
  await visit.press("Unsubscribe");
  await visit.page.getByRole("alert").waitFor();
  await visit.looksRight();
});

journey("a newsletter has an unsubscribe link that works", async (visit, site) => {
  const member = await site.newMember();
  await site.put("/user/update-profile", { notifications: true }, member.token);
  await site.openProposal(`A bridge for ${visit.width}`, new Date(Date.now() + 9e8));
  await visit.go(await site.linkInMailTo(member.email, "/newsletter/unsubscribe"));
  await visit.press("Unsubscribe");
  await visit.sees("You're unsubscribed.");
  await visit.looksRight();
  await visit.signInAs(member);
  await visit.go("/dashboard?tab=account");
  const toggle = visit.page.getByRole("switch", { name: "Subscribe to updates" });
  expect(await toggle.getAttribute("aria-checked")).toBe("false");
});

journey("the link in an email leads to the choice of emails", async (visit, site) => {
  const member = await site.newMember();
  await visit.go(await site.linkInMailTo(member.email, "/emails"));
  await visit.page.getByText("Only votes", { exact: true }).click();
  await visit.press("Save");
  await visit.sees("Saved.");
  await visit.page.getByText("What each email is about").click();
  await visit.looksRight();
  await visit.signInAs(member);
  await visit.go("/dashboard?tab=account");
  await visit.page.getByRole("radio", { name: /^Only votes/ }).waitFor();
  expect(await visit.page.getByRole("radio", { name: /^Only votes/ }).isChecked()).toBe(true);
  await visit.looksRight();
});

journey("a one-time gift succeeds after a declined card", async (visit) => {
  await visit.go("/donate");
  await visit.field("Amount in US dollars").fill("12.345");
  await visit.press("Donate");
  await visit.sees("“12.345” can mean 12,345 or 12.345. If you mean the first, write 12345.");
  await visit.sees("Enter your email so that we can send your receipt.");
  await visit.looksRight();
  await visit.press("$50");
  await visit.sees(/^\$40 to projects, \$3.50 to staff/);
  await visit.field("Amount in US dollars").fill("12.50");
  await visit.field("Email").fill("giver@example.org");
  await visit.field("Your name (optional)").fill("Efua Owusu Mensah");
  await typeCard(visit, "4000 0000 0000 9995");
  visit.expectRefusal(402, "/gifts");
  await visit.press("Donate $12.50");
  await visit.sees(/insufficient funds/);
  await visit.looksRight();
  await typeCard(visit, GOOD_CARD);
  await visit.press("Donate $12.50");
  await visit.page.waitForURL(/\/payment-success\?amount=12\.50?$/);
  await visit.sees("Thank you!");
  await visit.sees(/You successfully sent/);
  await visit.sees("$12.50");
  await visit.sees("Your receipt is on its way to giver@example.org.");
  await visit.sees(/Your gift is entry \w+ in the open books/);
  await visit.looksRight();
  await visit.looksRightInTheDark();
  await visit.press("Make it $5 a month and vote");
  await visit.arrivesAt("/join");
  expect(await visit.field("First name").inputValue()).toBe("Efua");
  expect(await visit.field("Last name").inputValue()).toBe("Owusu Mensah");
  expect(await visit.field("Email").inputValue()).toBe("giver@example.org");
});

journey("a gift without an answer survives a reload and is charged once", async (visit) => {
  await visit.go("/donate");
  await visit.field("Amount in US dollars").fill("7.25");
  await visit.field("Email").fill(newPerson().email);
  await typeCard(visit, GOOD_CARD);
  const keys: (string | undefined)[] = [];
  visit.page.on("request", (request) => {
    if (request.url().endsWith("/api/gifts")) keys.push(request.headers()["idempotency-key"]);
  });
  await visit.loseAnswer("/gifts");
  await visit.press("Donate $7.25");
  await visit.sees("We got no answer.");
  await visit.page.reload();
  await visit.sees("We got no answer.");
  expect(await visit.field("Amount in US dollars").inputValue()).toBe("7.25");
  await visit.looksRight();
  await visit.press("Donate $7.25");
  await visit.page.waitForURL(/\/payment-success\?amount=7\.25$/);
  expect(keys).toHaveLength(2);
  expect(keys[1]).toBe(keys[0]);
  const left = await visit.page.evaluate(() => Object.keys(sessionStorage));
  expect(left, "kept afterwards").toEqual(["page-before-login"]);
});

journey("the thank-you page ignores an invalid amount", async (visit) => {
  await visit.go("/payment-success?amount=25");
  await visit.sees("$25");
  await visit.link("Proceed to Dashboard").waitFor();
  await visit.go("/payment-success?amount=<b>1</b>");
  await visit.sees("Thank you!");
  await visit.seesNot(/You successfully sent/);
});
