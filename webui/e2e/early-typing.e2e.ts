import { expect } from "vitest";
import { openSite } from "./support/journeys.ts";

// On a slow line the form is there seconds before its scripts. What is typed by then stays.

const { journey } = openSite();
const FIELDS = "input:is([type=text], [type=email], [type=password], :not([type])), textarea";

for (const path of ["/", "/join", "/donate", "/check-vote", "/login"]) {
  journey(`what is typed before the scripts arrive stays on ${path}`, async (visit, site) => {
    let arrive: (() => void) | undefined;
    const line = new Promise<void>((resolve) => { arrive = resolve; });
    await visit.page.route("**/assets/*.js", async (route) => {
      await line;
      await route.continue();
    });
    await visit.page.goto(new URL(path, site.origin).href, { waitUntil: "commit" });
    const fields = visit.page.locator(FIELDS).filter({ visible: true });
    await fields.last().waitFor();
    const typed: Record<string, string> = {};
    for (const field of await fields.all()) {
      const label = await field.evaluate((input: HTMLInputElement) => input.labels?.[0]?.textContent);
      typed[label ?? ""] = `text ${path} ${label ?? ""}`;
      await field.fill(typed[label ?? ""] ?? "");
    }
    arrive?.();
    await visit.settle();
    for (const [label, text] of Object.entries(typed)) {
      expect(await visit.field(label).inputValue(), label).toBe(text);
    }
    expect(Object.keys(typed).length, "fields on the page").toBeGreaterThan(0);
  });
}
