import { expect } from "vitest";
import { WIDTHS, openSite } from "./support/journeys.ts";
import { GOOD_CARD, typeCard } from "./support/joining.ts";

const { journey } = openSite();

journey("a giver without an account opens the entry of the gift, and checks its proof", async (visit) => {
  await visit.go("/donate");
  await visit.field("Amount in US dollars").fill("12.50");
  await visit.field("Email").fill("efua@example.org");
  await typeCard(visit, GOOD_CARD);
  await visit.press("Donate $12.50");
  await visit.sees("Thank you!");
  await visit.page.getByRole("link", { name: /^entry [a-z2-7]{16}$/ }).click();
  await visit.page.waitForURL(/\/ledger\/entries\/[a-z2-7]{16}$/);
  await visit.page.getByRole("heading", { name: "+$12.50" }).waitFor();
  await visit.sees("One-time gift");
  await visit.page.getByRole("heading", { name: "What became of it" }).waitFor();
  await visit.press("Check it in this browser");
  await visit.sees(/^The log of [\d,]+ lines is signed, and this line is in it\.$/);
  await visit.looksRight();
  await visit.looksRightInTheDark();
});

journey("an id that is no entry says so, with status 404", async (visit, site) => {
  const answer = await visit.page.request.get(`${site.origin}/ledger/entries/aaaaaaaaaaaaaaaa`);
  expect(answer.status()).toBe(404);
});

journey(
  "an amount of a month is followed, and shared as a picture",
  async (visit, site) => {
    await visit.go("/follow?cents=2000");
    const title = visit.page.getByRole("heading", { name: /^Where \$20\.00 of \w+ \d{4} went$/ });
    await title.waitFor();
    await visit.sees(/^\$20\.00 = /);
    expect(await visit.page.getByRole("button", { name: "$20" }).getAttribute("aria-pressed")).toBe("true");
    await visit.press("$5");
    await visit.page.getByRole("heading", { name: /^Where \$5\.00 of / }).waitFor();
    const months = visit.field("Given in");
    const oldest = await months.locator("option").last().getAttribute("value");
    await months.selectOption(oldest);
    await visit.page.waitForURL(`**/follow?cents=500&month=${oldest}`);
    await visit.looksRight();
    await visit.looksRightInTheDark();
    const picture = await visit.page.getByRole("link", { name: "Save the picture" }).getAttribute("href");
    const answer = await visit.page.request.get(site.origin + (picture ?? ""));
    expect([answer.status(), answer.headers()["content-type"]]).toEqual([200, "image/png"]);
    await visit.press("Share this trace");
    expect(await visit.dialog.getByLabel("Message").inputValue()).toContain(`/follow?cents=500&month=${oldest}`);
  },
  WIDTHS,
);

journey("the page as sent has the picture of its own amount and month", async (visit, site) => {
  const followed = await visit.page.request.get(`${site.origin}/api/follow`);
  const { month } = (await followed.json()) as { month: string };
  const page = await visit.page.request.get(`${site.origin}/follow?cents=700&month=${month}`);
  const sent = await page.text();
  expect(sent).toContain(`/previews/follow/${month}-700.png`);
  expect(sent).toContain("Where $7.00 of");
});

journey(
  "a member prints a year: months, money and votes",
  async (visit, site) => {
    const member = await site.newMember();
    await visit.signInAs(member);
    const year = new Date().getUTCFullYear();
    await visit.go(`/my-impact/${year}`);
    await visit.page.getByRole("heading", { name: `My ${year} in cloth` }).waitFor();
    await visit.sees(/^One month woven, \$[\d.]+ given$/);
    await visit.page.getByRole("heading", { name: `Decided in ${year}` }).waitFor();
    await visit.looksRight();
    await visit.looksRightInTheDark();
    await visit.page.emulateMedia({ media: "print" });
    expect(await visit.page.getByRole("button", { name: "Print my year" }).isVisible()).toBe(false);
    await visit.page.emulateMedia({ media: "screen" });
    await visit.go(`/my-impact/${year - 20}`);
    await visit.sees(`You gave nothing in ${year - 20}`);
  },
  WIDTHS,
);
