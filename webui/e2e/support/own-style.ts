import type { Page } from "playwright-core";

/** Styles that readers set themselves, with the width at which they are checked. */
export const OWN_STYLES = [
  { style: "html { font-size: 200% !important; }", width: 640 },
  // WCAG 1.4.12.
  {
    style:
      "* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important; }",
    width: 360,
  },
] as const;

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
