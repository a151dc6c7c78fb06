import type { Page, Route } from "playwright-core";
import { expect } from "vitest";
import { withPlace } from "./support/gps.ts";
import { openSite } from "./support/journeys.ts";
import { hereOf, newLink, waiting } from "./support/partner.ts";
import { isKept, isNotStored, isStored, photos, reopened } from "./support/phone.ts";
import type { Visit } from "./support/visit.ts";
import { until } from "./support/wait-until.ts";

// What a partner has written and the organisation does not have yet: it stays, and comes back to be changed.

const { journey } = openSite({ JARA_LIMIT_FIELD_LINK: "1000000/h" }, undefined, undefined, "allow");
const ARRIVED = "Arrived, waits for the organisation";
const QUEUED = "goes out as soon as there is a network";
const SAYS = "The organisation's server says: text: Write 1 to 6000 characters.";
const NO_PLACE = "This phone does not tell the place";
/** The phone takes it for a text, and the server does not. */
const NO_TEXT = "\u{1}";

journey("a report that the server does not take is in the form at once, with the reason", async (visit, site) => {
  await visit.page.goto((await newLink(site, "en")).link);
  visit.expectRefusals(422);
  await write(visit.page, "Back at once", NO_TEXT);
  await visit.press("Send report");
  await visit.sees(SAYS);
  await visit.seesNot(QUEUED);
  expect(await title(visit)).toBe("Back at once");
  await visit.page.getByLabel("Tell more").fill("With a text.");
  await visit.press("Send report");
  await visit.sees(ARRIVED);
  await visit.seesNot(SAYS);
}, [390]);

journey("a report that comes back while another is written is listed, to be changed", async (visit, site) => {
  await visit.page.goto((await newLink(site, "en")).link);
  await isKept(visit.page);
  visit.expectLosses(/./);
  visit.expectRefusals(422);
  await visit.page.context().setOffline(true);
  await write(visit.page, "Comes back", NO_TEXT);
  await visit.press("Send report");
  await visit.sees(QUEUED);
  await write(visit.page, "Next one", "Written meanwhile.");
  await visit.page.context().setOffline(false);
  await item(visit, "Comes back").getByText(SAYS).waitFor();
  await visit.seesNot(QUEUED);
  expect(await title(visit)).toBe("Next one");
  await visit.looksRight();
  await item(visit, "Comes back").getByRole("button", { name: "Change it" }).click();
  await item(visit, "Next one").getByRole("button", { name: "Change it" }).waitFor();
  expect(await title(visit)).toBe("Comes back");
  await visit.page.getByLabel("Tell more").fill("With a text.");
  await visit.press("Send report");
  await item(visit, "Comes back").getByText(ARRIVED).waitFor();
  expect(await title(visit)).toBe("Next one");
}, [390]);

journey("numbers, milestone and place stay without a text, and a deleted text stays away", async (visit, site) => {
  await visit.page.goto((await newLink(site, "en")).link);
  await visit.page.getByLabel("Milestone reached").selectOption("handover");
  await visit.page.getByLabel("Households within 400 m").fill("213");
  await isStored(visit.page, "");
  await visit.page.reload();
  expect(await chosen(visit)).toEqual(["handover", "213", false]);
  await visit.page.getByLabel("Milestone reached").selectOption("");
  await visit.page.getByLabel("Households within 400 m").fill("");
  await isNotStored(visit.page, "");
  await visit.page.getByLabel("Show where this is").check();
  await isStored(visit.page, "");
  await visit.page.reload();
  expect(await chosen(visit)).toEqual(["", "", true]);
  await visit.page.getByLabel("Show where this is").uncheck();
  await write(visit.page, "To be deleted", "Not wanted.");
  await isStored(visit.page, "To be deleted");
  await write(visit.page, "", "");
  await isNotStored(visit.page, "To be deleted");
  await isNotStored(visit.page, "");
  await visit.page.reload();
  expect(await title(visit)).toBe("");
  expect(await visit.page.getByLabel("Tell more").inputValue()).toBe("");
}, [390]);

journey("an answer that comes late changes no form that somebody uses", async (visit, site) => {
  await visit.page.goto((await newLink(site, "en")).link);
  await isKept(visit.page);
  const held: Route[] = [];
  await visit.page.context().route("**/api/field", (route) => void held.push(route));
  await visit.page.reload();
  const answered = visit.page.waitForResponse("**/api/field");
  await visit.page.getByLabel("Walk for water").fill("14");
  await visit.page.getByLabel("Milestone reached").focus();
  await until(() => expect(held).toHaveLength(1));
  await held[0]?.continue();
  await answered;
  await visit.settle();
  expect(await visit.page.getByLabel("Walk for water").inputValue()).toBe("14");
  expect(await visit.page.evaluate(() => document.activeElement?.id)).toBe("milestone");
}, [390]);

journey("a page that stays open tells what was decided since, and that its link was ended", async (visit, site) => {
  const { link, name } = await newLink(site, "en", "open page");
  await visit.page.goto(link);
  await write(visit.page, "Decided later", "The page stays open.");
  await visit.press("Send report");
  await visit.sees("The report has arrived.");
  await visit.page.getByLabel("What happened").fill("Next one");
  await isStored(visit.page, "Next one");
  const row = (await waiting(site)).find((one) => one.title === "Decided later");
  await site.jara("field", "refuse", row?.id ?? "", "--why", "Another village.", "--yes");
  await visit.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await item(visit, "Decided later").getByText("Reason: Another village.").waitFor();
  await visit.seesNot("The report has arrived.");
  await site.jara("partners", "revoke", name);
  visit.expectEndOfLink();
  await visit.page.evaluate(() => dispatchEvent(new Event("online")));
  await visit.sees("This link was ended by the organisation.");
  expect(await title(visit)).toBe("Next one");
  expect(await visit.page.evaluate(() => document.activeElement?.id)).toBe("title");
}, [390]);

journey("a new link takes the place of the one that was ended, with what was written under it", async (visit, site) => {
  const { link: other } = await newLink(site, "en", "Partner", "terrace-farming-co-op");
  const { link, name } = await newLink(site, "en", "renewed");
  await visit.page.goto(other);
  await visit.page.getByRole("heading", { name: "Terrace farming" }).waitFor();
  await visit.page.goto("about:blank");
  await visit.page.goto(link);
  await visit.page.getByRole("heading", { name: "Clean water boreholes" }).waitFor();
  await isKept(visit.page);
  visit.expectLosses(/./);
  await visit.page.context().setOffline(true);
  await write(visit.page, "Waits under the old link", "Sent by the new one.");
  await visit.press("Send report");
  await visit.sees(QUEUED);
  await write(visit.page, "Draft under the old link", "Kept for the new one.");
  await isStored(visit.page, "Draft under the old link");
  await site.jara("partners", "revoke", name);
  const renewed = JSON.parse(await site.jara("partners", "link", name, "--json")) as { readonly address: string };
  // Without an answer to what waits, the page of the new link shows it as waiting.
  await visit.page.context().route("**/api/field/reports/*", (route) => route.abort());
  visit.expectEndOfLink();
  await visit.page.context().setOffline(false);
  await visit.sees("This link was ended by the organisation.");
  await visit.page.goto("about:blank");
  await visit.page.goto(hereOf(renewed.address, site));
  await item(visit, "Waits under the old link").getByText("waits for a network").waitFor();
  expect(await title(visit)).toBe("Draft under the old link");
  await visit.seesNot("This link was ended by the organisation.");
  await visit.page.context().unroute("**/api/field/reports/*");
  await visit.page.evaluate(() => dispatchEvent(new Event("online")));
  await item(visit, "Waits under the old link").getByText(ARRIVED).waitFor();
  expect(await wayBack(visit)).toBe(hereOf(renewed.address, site));
  // Even if the old link was opened last.
  await visit.page.goto("about:blank");
  await visit.page.goto(link);
  await visit.sees("This link was ended by the organisation.");
  expect(await wayBack(visit)).toBe(hereOf(renewed.address, site));
}, [390]);

/** Goes to the other project and back; returns the address of the link that is opened by it. */
async function wayBack({ page }: Visit): Promise<string> {
  for (const project of ["Terrace farming", "Clean water boreholes"]) {
    await page.getByRole("navigation").getByRole("link", { name: project }).click();
    await page.getByRole("heading", { name: project }).waitFor();
  }
  return page.url();
}

journey("the place is the phone's own, or else that of a photo as long as it is there", async (visit, site) => {
  const [photo] = await photos(visit.page, 1, 1200);
  const files = photo === undefined ? [] : [{ ...photo, buffer: withPlace(photo.buffer) }];
  await visit.page.goto((await newLink(site, "en")).link);
  const ticked = visit.page.getByLabel("Show where this is");
  await ticked.check();
  await visit.sees(NO_PLACE);
  await visit.page.getByLabel("Add photos").setInputFiles(files);
  await visit.sees("Near -1.29, 36.82");
  await write(visit.page, "Placed by a photo", "It stays when the page is opened again.");
  await isStored(visit.page, "Placed by a photo");
  await visit.page.reload();
  await visit.sees("Near -1.29, 36.82");
  await visit.page.getByRole("button", { name: "Remove photo 1" }).click();
  await visit.sees(NO_PLACE);
  await visit.page.context().grantPermissions(["geolocation"]);
  await visit.page.context().setGeolocation({ latitude: 5.55, longitude: -0.2 });
  await ticked.uncheck();
  await ticked.check();
  await visit.sees("Near 5.55, -0.2");
  await visit.page.getByLabel("Add photos").setInputFiles(files);
  await visit.page.getByRole("button", { name: "Remove photo 1" }).waitFor();
  await visit.sees("Near 5.55, -0.2");
  await visit.page.getByLabel("Nobody can be recognised").check();
  const sent = visit.page.waitForRequest("**/api/field/reports/*");
  await visit.press("Send report");
  expect((await sent).postDataJSON()).toMatchObject({ latitude: 5.55, longitude: -0.2 });
  await visit.sees(ARRIVED);
}, [390]);

journey("two windows that write in one draft keep both texts", async (visit, site) => {
  const { link } = await newLink(site, "en");
  await visit.page.goto(link);
  await write(visit.page, "Begun", "In one window.");
  await isStored(visit.page, "Begun");
  const other = await reopened(visit.page, link);
  await other.getByLabel("Tell more").waitFor();
  await write(visit.page, "Begun, and longer", "In one window, which goes on.");
  await isStored(visit.page, "Begun, and longer");
  await other.getByLabel("What happened").fill("Begun elsewhere");
  await other.getByText(/another window/).waitFor();
  await isStored(other, "Begun elsewhere");
  await isStored(other, "Begun, and longer");
  expect(await other.evaluate(() => document.activeElement?.id)).toBe("title");
  // From here on each window writes its own, however fast.
  await visit.page.getByLabel("Tell more").fill("Longer still.");
  await other.getByLabel("What happened").pressSequentially(" twice", { delay: 400 });
  await isStored(other, "Begun elsewhere twice");
  await visit.seesNot(/another window/);
  await other.getByRole("listitem").filter({ hasText: "Begun, and longer" }).getByRole("button", { name: "Change it" }).click();
  await until(async () => expect(await other.getByLabel("Tell more").inputValue()).toBe("Longer still."));
  await other.close();
}, [390]);

/** What is chosen and filled in beside the text. */
async function chosen({ page }: Visit) {
  await page.getByLabel("Tell more").waitFor();
  return [
    await page.getByLabel("Milestone reached").inputValue(),
    await page.getByLabel("Households within 400 m").inputValue(),
    await page.getByLabel("Show where this is").isChecked(),
  ];
}

async function write(page: Page, what: string, text: string): Promise<void> {
  await page.getByLabel("What happened").fill(what);
  await page.getByLabel("Tell more").fill(text);
}

async function title(visit: Visit): Promise<string> {
  return await visit.page.getByLabel("What happened").inputValue();
}

/** A report in the list below the form. */
function item(visit: Visit, what: string) {
  return visit.page.getByRole("listitem").filter({ hasText: what });
}
