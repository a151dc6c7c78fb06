import { mkdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openSite, WIDTHS } from "./support/journeys.ts";
import type { Organisation } from "./support/organisation.ts";
import { MEMBER_PAGES, openPage, PUBLIC_PAGES } from "./support/pages.ts";
import type { Visit } from "./support/visit.ts";

const FOLDER = fileURLToPath(new URL("../shots", import.meta.url));
// Dialogs cover the window, so a full-page screenshot would show them wrongly.
const WINDOW_ONLY = new Set(["share"]);

const { journey } = openSite();

for (const [name, address] of Object.entries(PUBLIC_PAGES)) {
  journey(`${name}, signed out`, async (visit, site) => {
    await take(visit, site, name, address);
  }, WIDTHS);
}

for (const [name, address] of Object.entries(MEMBER_PAGES)) {
  journey(`${name}, signed in`, async (visit, site) => {
    await visit.signInAs(await site.ama());
    await take(visit, site, name, address);
  }, WIDTHS);
}

async function take(visit: Visit, site: Organisation, name: string, address: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  await openPage(visit, site, address);
  // Pictures further down load lazily.
  for (let y = 0; y < (await height(visit)); y += 600) {
    await visit.page.mouse.wheel(0, 600);
    await visit.page.waitForTimeout(40);
  }
  await visit.page.evaluate(() => window.scrollTo(0, 0));
  await visit.settle();
  await visit.page.screenshot({
    path: path.join(FOLDER, `${name}-${visit.width}.png`),
    fullPage: !WINDOW_ONLY.has(name),
  });
}

async function height(visit: Visit): Promise<number> {
  return await visit.page.evaluate(() => document.body.scrollHeight);
}
