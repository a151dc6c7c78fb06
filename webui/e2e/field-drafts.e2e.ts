import type { Page } from "playwright-core";
import { expect } from "vitest";
import { openSite } from "./support/journeys.ts";
import { newLink } from "./support/partner.ts";
import { isKept } from "./support/phone.ts";
import type { Visit } from "./support/visit.ts";

// What a partner has written and the organisation does not have yet: it stays, and comes back to be changed.

const { journey } = openSite({ JARA_LIMIT_FIELD_LINK: "1000000/h" }, undefined, undefined, "allow");
const ARRIVED = "Arrived, waits for the organisation";
const QUEUED = "goes out as soon as there is a network";
const SAYS = "The organisation's server says: text: Write 1 to 6000 characters.";
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
