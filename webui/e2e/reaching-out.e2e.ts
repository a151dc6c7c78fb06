import { expect } from "vitest";
import { GOOD_CARD, typeCard } from "./support/joining.ts";
import { openSite } from "./support/journeys.ts";

const { journey } = openSite();

journey("the message is copied, and says so for two seconds", async (visit) => {
  await visit.go("/share");
  const message = visit.dialog.getByLabel("Message");
  expect(await message.inputValue()).toMatch(/^Take a look @JoinJara - .+: http/);
  await message.fill("Come and vote with me.");
  await visit.press("Copy");
  await visit.button("Copied!").waitFor();
  const copied = Date.now();
  await visit.isTold("Text copied to clipboard");
  await visit.looksRight();
  await visit.button("Copy").waitFor();
  expect(Date.now() - copied, "milliseconds of 'Copied!'").toBeGreaterThan(1500);
  const text = await visit.page.evaluate(() => navigator.clipboard.readText());
  expect(text).toBe("Come and vote with me.");
  await visit.page.keyboard.press("Escape");
  await visit.arrivesAt("/");
});

journey("the networks open as specified", async (visit) => {
  await visit.go("/share");
  await visit.page.evaluate(() => {
    // Nothing leaves this machine: what would be opened is noted instead.
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

journey("somebody subscribes to the news, confirms by mail, and unsubscribes", async (visit, site) => {
  const email = `news.${visit.width}@example.org`;
  await visit.go("/faqs");
  await visit.field("Email address").fill(email);
  await visit.page.getByRole("contentinfo").getByRole("button", { name: "Join" }).click();
  await visit.sees(`Almost there. Open the link that we sent to ${email}.`);
  await visit.looksRight();
  const link = await site.linkInMailTo(email, "/newsletter/confirm");
  await visit.go(link);
  await visit.press("Confirm my subscription");
  await visit.sees("You are on the list.");
  await visit.looksRight();
  visit.expectRefusal(422, "/newsletter/unsubscribe");
  await visit.go("/newsletter/unsubscribe?code=abc");
  await visit.press("Unsubscribe");
  await visit.page.getByRole("alert").waitFor();
  await visit.looksRight();
});

journey("somebody gives once, after a declined card", async (visit) => {
  await visit.go("/donate");
  await visit.field("Amount in US dollars").fill("12.345");
  await visit.press("Donate");
  await visit.sees(/Type an amount from/);
  await visit.sees("Type your email, so that we can send the receipt.");
  await visit.looksRight();
  await visit.field("Amount in US dollars").fill("12.50");
  await visit.field("Email").fill("giver@example.org");
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
  await visit.looksRight();
});

journey("the page of thanks shows no amount that is none", async (visit) => {
  await visit.go("/payment-success?amount=25");
  await visit.sees("$25");
  await visit.link("Proceed to Dashboard").waitFor();
  await visit.go("/payment-success?amount=<b>1</b>");
  await visit.sees("Thank you!");
  await visit.seesNot(/You successfully sent/);
});
