import type { Page } from "playwright-core";
import { expect } from "vitest";
import { findCutText } from "./cut-text.ts";
import { until } from "./wait-until.ts";

// WCAG 1.4.12.
const SPACING = `
  * { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important; }
  p { margin-bottom: 2em !important; }`;
const NARROW = [320, 360, 390];

/** Styles that readers set themselves, with the widths at which they are checked. */
export const OWN_STYLES = [
  { style: `html { font-size: 200% !important; } ${SPACING}`, widths: NARROW },
  { style: `html { font-size: 130% !important; } ${SPACING}`, widths: [390] },
  { style: SPACING, widths: NARROW },
  { style: "html { font-size: 200% !important; }", widths: [640, 768] },
] as const;

/** Checks that nothing is cut off or out of reach with large text, wide spacing, or both. */
export async function fitsEveryReader(page: Page): Promise<void> {
  const size = page.viewportSize();
  for (const { style, widths } of OWN_STYLES) {
    await withOwnStyle(page, style, async () => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 844 });
        // What has just come into the window may still load.
        await until(async () => {
          const faults = await findCutText(page);
          expect(faults.join("\n"), `${page.url()} at ${width} px with ${style}`).toBe("");
        });
      }
    });
  }
  if (size !== null) await page.setViewportSize(size);
}

/** Runs a check while a reader's own style is in force. */
export async function withOwnStyle(
  page: Page,
  style: string,
  check: () => Promise<void>,
): Promise<void> {
  // Not an inline style, which the site's policy refuses.
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [sheet];
  }, style);
  await check();
  await page.evaluate(() => {
    document.adoptedStyleSheets = [];
  });
}
