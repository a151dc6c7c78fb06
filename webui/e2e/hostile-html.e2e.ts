import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { startBrowser } from "./support/browser.ts";
import { environment } from "./support/jara.ts";
import { Organisation } from "./support/organisation.ts";
import { saw } from "./support/soak.ts";

// Every text of tests/faults/hostile_html.py, written past the cleaning on the way in, is
// read in a real browser: without the Content-Security-Policy nothing may run, for the
// cleaning alone must do; with it nothing may leave either.

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MINUTES = 10;
const isFull = process.env["JARA_FULL"] === "1";

let site: Organisation;
let browser: Browser;
let texts = 0;

beforeAll(async () => {
  [site, browser] = await Promise.all([
    Organisation.serve(inject("organisation")),
    startBrowser(),
  ]);
  const words = ["-m", "tests.faults.hostile_html", site.folder];
  const { stdout } = await promisify(execFile)("python", words, {
    cwd: ROOT,
    env: environment({ PYTHONPATH: ROOT, JARA_FULL: isFull ? "1" : "" }),
  });
  texts = Number(stdout);
}, MINUTES * 60_000);

afterAll(() => site.stop());

type Seen = { ran: number; readonly left: string[] };

/** Records every script that runs from a text, and every request to another host. */
async function watch(context: BrowserContext): Promise<{ page: Page; seen: Seen }> {
  const page = await context.newPage();
  const seen: Seen = { ran: 0, left: [] };
  page.on("dialog", (dialog) => {
    seen.ran += 1;
    void dialog.dismiss();
  });
  const asked = new Set<string>();
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(site.origin) && !url.startsWith("data:")) asked.add(url);
  });
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    if (!/csp/i.test(reason) && asked.has(request.url())) seen.left.push(request.url());
  });
  page.on("requestfinished", (request) => {
    if (asked.has(request.url())) seen.left.push(request.url());
  });
  return { page, seen };
}

/** Puts each text, as the API gives it, where React puts it; returns how many kept the tags. */
async function readAll(page: Page): Promise<number> {
  return await page.evaluate(async (count) => {
    const place = document.createElement("div");
    document.body.append(place);
    let whole = 0;
    const show = (html: string) => {
      place.innerHTML = html;
      const link = place.querySelector("p > a[href='https://example.org/']");
      whole += Number(place.querySelector("p > strong") !== null && link !== null);
      for (const element of place.querySelectorAll("*")) {
        for (const kind of ["click", "mouseover", "focus", "pointerenter", "animationend"]) {
          element.dispatchEvent(new Event(kind, { bubbles: true, cancelable: true }));
        }
      }
    };
    // Runs in the page, so it cannot use anything from outside.
    // oxlint-disable-next-line unicorn/consistent-function-scoping
    const ask = async (path: string) => (await (await fetch(`/api${path}`)).json()) as never;
    type Proposal = { slug: string; storySections: string; implementation: string };
    const proposals: Proposal[] = await ask("/user/get-proposals");
    for (const { slug, storySections, implementation } of proposals) {
      if (!slug.startsWith("hostile-")) continue;
      show(storySections);
      show(implementation);
    }
    for (let number = 0; number < count; number += 1) {
      const project: { story: string; updates: { content: string }[] } = await ask(
        `/projects/hostile-${number}`,
      );
      show(project.story);
      for (const update of project.updates) show(update.content);
    }
    // Load and error events fire later.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    place.remove();
    return whole;
  }, texts);
}

test("sanitising alone stops every hostile text", { timeout: MINUTES * 60_000 }, async () => {
  const context = await browser.newContext({ bypassCSP: true });
  const { page, seen } = await watch(context);
  await page.goto(`${site.origin}/faqs`);

  expect(texts).toBeGreaterThan(isFull ? 300 : 120);
  // Four fields hold each text.
  expect(await readAll(page)).toBe(4 * texts);
  expect(seen.ran).toBe(0);
  await context.close();
});

test("no hostile text runs or makes requests with the site's policy", { timeout: MINUTES * 60_000 }, async () => {
  const context = await browser.newContext();
  const { page, seen } = await watch(context);
  // Trusted Types would refuse the texts that the test puts in; the rest of the policy stays.
  await page.route("**/faqs", async (route) => {
    const answer = await route.fetch();
    const policy = answer.headers()["content-security-policy"] ?? "";
    expect(policy).toContain("require-trusted-types-for");
    const rest = policy.replaceAll(/(require-trusted-types-for|trusted-types)[^;]*;?/g, "");
    const headers = { ...answer.headers(), "content-security-policy": rest };
    await route.fulfill({ response: answer, headers });
  });
  await page.goto(`${site.origin}/faqs`);
  expect(await readAll(page)).toBe(4 * texts);

  expect(seen).toEqual({ ran: 0, left: [] });
  await saw({ texts, fields: 4, scripts_run: seen.ran, requests_out: seen.left.length });
  await context.close();
});

test("every page survives hostile text", { timeout: MINUTES * 60_000 }, async () => {
  const context = await browser.newContext();
  const { page, seen } = await watch(context);
  // The first project shows every text once more, as updates.
  for (const path of ["/projects/hostile-0", "/projects/hostile-3"]) {
    await page.goto(`${site.origin}${path}`);
    const kept = page.locator("main strong", { hasText: "hold" });
    await kept.first().waitFor({ state: "attached" });
  }

  expect(seen).toEqual({ ran: 0, left: [] });
  await context.close();
});
