import type { Page } from "playwright-core";
import { expect } from "vitest";
import { openSite } from "./support/journeys.ts";
import { everyAddress, MEMBER_PAGES, openPage } from "./support/pages.ts";
import { until } from "./support/wait-until.ts";
import type { Visit } from "./support/visit.ts";

const { journey } = openSite();
// The width of A4 and of Letter between usual margins.
// Those of a browser's own print dialog.
const MARGIN = { top: "10mm", right: "10mm", bottom: "10mm", left: "10mm" };
const PAPER = [718];

for (const address of everyAddress()) {
  journey(`${address} is whole on paper`, async (visit, site) => {
    await isWhole(visit, () => openPage(visit, site, address), address);
  }, PAPER);
}

for (const address of Object.values(MEMBER_PAGES)) {
  journey(`${address} of a member is whole on paper`, async (visit, site) => {
    await visit.signInAs(await site.ama());
    await isWhole(visit, () => visit.go(address), address);
  }, PAPER);
}

journey("a year in cloth with six votes is one page of paper", async (visit, site) => {
  await visit.signInAs(await site.ama());
  await visit.page.route("**/api/user/get-proposals", async (route) => {
    const proposals = (await (await route.fetch()).json()) as readonly { readonly decidedAt?: string }[];
    const one = { ...proposals.find(({ decidedAt }) => Boolean(decidedAt)), decidedAt: new Date().toISOString() };
    await route.fulfill({ json: Array.from({ length: 6 }, (_, place) => ({ ...one, id: `vote-${place}` })) });
  });
  for (const language of ["en", "fr"]) {
    await visit.go(`${MEMBER_PAGES.year}?lang=${language}`);
    await visit.page.getByRole("listitem").filter({ has: visit.page.getByRole("link") }).nth(5).waitFor();
    await visit.settle();
    for (const format of ["A4", "Letter"]) {
      const pdf = await visit.page.pdf({ format, margin: MARGIN });
      expect(pdf.toString("latin1").match(/\/Type \/Page\b/g), `${format}, ${language}`).toHaveLength(1);
    }
  }
}, PAPER);

/** Checks the page as printed by somebody who has not scrolled, with the animations of the usual reader. */
async function isWhole(visit: Visit, open: () => Promise<void>, address: string): Promise<void> {
  await visit.page.emulateMedia({ reducedMotion: "no-preference" });
  await open();
  await visit.page.emulateMedia({ media: "print" });
  await until(async () => expect((await findLost(visit.page)).join("\n"), address).toBe(""));
}

/** What paper does not show, each in one line: text that is not visible, and bars without their colour. */
async function findLost(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const faults: string[] = [];
    const shown = [...document.body.querySelectorAll("*")].filter(
      (element) =>
        element.closest("svg, script, style, noscript, template, option, .vh, .Toastify, [aria-hidden=true]") === null &&
        // What is left out of the layout is not meant for paper; a closed answer is.
        (element.checkVisibility() || element.closest("details:not([open])") !== null),
    );
    for (const element of shown) {
      const text = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ textContent }) => textContent?.trim()).join(" ");
      const style = getComputedStyle(element);
      if (text.trim() !== "" && !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) {
        faults.push(`"${text.slice(0, 60)}" is not visible`);
      }
      const { width, height } = element.getBoundingClientRect();
      const isDrawn = element.textContent === "" && element.children.length === 0 && width * height > 40 && !element.matches("img, input, select, textarea");
      const hasGround = style.backgroundColor !== "rgba(0, 0, 0, 0)" || style.backgroundImage !== "none";
      if (isDrawn && hasGround && style.printColorAdjust !== "exact") {
        faults.push(`<${element.localName} .${element.getAttribute("class")}> has no colour`);
      }
    }
    const skip = document.querySelector<HTMLElement>('a[href="#main"]');
    if (skip?.checkVisibility() === true) faults.push("the link to the content is printed");
    return [...new Set(faults)];
  });
}
