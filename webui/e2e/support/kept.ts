import type { Page } from "playwright-core";
import { expect } from "vitest";
import { until } from "./wait-until.ts";

/** Waits until the service worker answers for this page and has stored that path. */
export async function isKept(page: Page, path: string): Promise<void> {
  // `waitForFunction` takes the promise of an async function for true.
  await until(async () => {
    const kept = await page.evaluate(async (address) => {
      const stored = await caches.match(address, { ignoreVary: true });
      return navigator.serviceWorker.controller !== null && stored !== undefined;
    }, path);
    expect(kept, `${path} is kept`).toBe(true);
  });
}

/** The amounts that the page shows. */
export async function figuresOf(page: Page): Promise<string[]> {
  const text = await page.getByRole("main").innerText();
  return text.match(/\$[\d,.]+/g) ?? [];
}
