import { readFileSync } from "node:fs";
import type axe from "axe-core";
import type { Page } from "playwright-core";

// Chromium parses the minified file in two thirds of the time, once for each document.
const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** WCAG 2.2 AA and axe's best practices. */
const RULES: axe.RunOnly = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};
/** What dark mode can break: its styles are other colours and nothing else. */
export const COLOUR_RULES: axe.RunOnly = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** Barriers that axe finds on a page, each in one line. */
export async function findBarriers(page: Page, rules = RULES): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  const violations = await page.evaluate(async (runOnly): Promise<axe.AxeResults["violations"]> => {
    const run = (globalThis as unknown as { axe: typeof axe }).axe;
    // A rule asks for media; by default every stylesheet would be loaded and parsed again.
    const preload = { assets: ["media"] };
    return (await run.run({ runOnly, resultTypes: ["violations"], preload })).violations;
  }, rules);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ""}`),
  );
}
