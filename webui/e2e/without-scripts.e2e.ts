import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { startBrowser } from "./support/browser.ts";
import { USUAL_WIDTHS } from "./support/journeys.ts";
import { Organisation } from "./support/organisation.ts";

// Pages without JavaScript, as read by visitors who block it, search engines and link previews.

let site: Organisation;
let browser: Browser;
let vote = "";

beforeAll(async () => {
  [site, browser] = await Promise.all([
    Organisation.serve(inject("organisation")),
    startBrowser(),
  ]);
  vote = await site.openProposal("Roof for the market", new Date(Date.now() + 9 * 86_400_000));
}, 180_000);

afterAll(() => site.stop());

describe.each(USUAL_WIDTHS)("without scripts, at %i px", (width) => {
  const reader = (title: string, way: (page: Page) => Promise<void>) => {
    test(title, async () => {
      const viewport = { width, height: 844 };
      const context = await browser.newContext({ viewport, javaScriptEnabled: false });
      try {
        await way(await context.newPage());
      } finally {
        await context.close();
      }
    });
  };

  reader("a vote is read, and leads to the others", async (page) => {
    await go(page, `/proposals/${vote}`);
    expect(await page.getByRole("heading", { level: 1 }).allInnerTexts()).toEqual([
      "Roof for the market",
    ]);
    await sees(page, ["Ten stalls get a roof", "$900", "Togo", "Open until", "Yes votes still needed"]);
    await follow(page, "All proposals");
    await sees(page, ["Roof for the market", "Beekeeping kits for 24 farming families", "Did not pass"]);
    await follow(page, "A second-hand school bus");
    await sees(page, ["Voting closed on", "Did not pass"]);
  });

  reader("the report and the ledger are read in figures", async (page) => {
    await go(page, "/impact");
    await sees(page, ["What came in", "Total received", "Promised and actual", "Clean water boreholes"]);
    await go(page, "/ledger");
    await sees(page, ["Cash on hand", "Budget summary", "Unallocated", "Contributions by month"]);
  });

  reader("a project and the home page tell where the money went", async (page) => {
    await go(page, "/projects/clean-water-boreholes");
    await sees(page, ["Where the money went", "Total paid"]);
    await go(page, "/projects/Clean%20water%20boreholes");
    await sees(page, ["Milestones", "Approved by vote", "From the field"]);
    await go(page, "/");
    await sees(page, ["How it works", "Cash deployed", "Clean water boreholes"]);
    const [headline] = await page.getByRole("heading", { level: 1 }).allInnerTexts();
    expect(headline?.replaceAll("\n", " ")).toBe("$1457 disbursed. 4 lives impacted.");
    await sees(page, [" active changemakers", "The open books today: $"]);
  });

  reader("a page that needs scripts says so", async (page) => {
    for (const path of ["/donate", "/check-vote", "/my-impact"]) {
      await go(page, path);
      await sees(page, ["This page needs JavaScript."]);
    }
  });

  reader("what there is not says so", async (page) => {
    const answer = await page.goto(`${site.origin}/proposals/no-such-proposal`);
    expect(answer?.status()).toBe(404);
    await sees(page, ["We can't find this page."]);
  });
});

test("link previews show a vote's title, text and picture", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await go(page, `/proposals/${vote}`);
  const said = (name: string) => page.locator(`meta[property="${name}"]`).getAttribute("content");
  expect(await page.title()).toBe("Roof for the market — Jara");
  expect(await said("og:title")).toBe("Roof for the market — Jara");
  expect(await said("og:description")).toMatch(/^Ten stalls/);
  expect(await said("og:url")).toBe(`${site.origin}/proposals/${vote}`);
  const picture = await said("og:image");
  expect(picture).toBe(`${site.origin}/previews/proposals/${vote}.png`);
  expect((await page.request.get(String(picture))).status()).toBe(200);
  await context.close();
});

test("a page that came with its answers asks for none, and names itself once", async () => {
  const page = await browser.newPage();
  const asked: string[] = [];
  const faults: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  page.on("console", (message) => faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(error.message));
  const project = "/projects/clean-water-boreholes";
  const pages = [
    [`/proposals/${vote}`],
    ["/proposals"],
    ["/impact"],
    ["/ledger"],
    [project],
    ["/projects/Clean%20water%20boreholes", project],
  ] as const;
  for (const [path, address = path] of pages) {
    await page.goto(`${site.origin}${path}`, { waitUntil: "networkidle" });
    await page.locator("h1").filter({ visible: true }).first().waitFor();
    const canonical = page.locator('link[rel="canonical"]');
    expect(await canonical.count(), path).toBe(1);
    expect(await canonical.getAttribute("href")).toBe(`${site.origin}${address}`);
    expect(await page.locator('meta[name="description"]').count(), path).toBe(1);
  }
  expect(asked.filter((path) => path.startsWith("/api/"))).toEqual([]);
  expect(faults).toEqual([]);
  await page.close();
});

test("assets are named by content hash and cached forever", async () => {
  const page = await browser.newPage();
  const kept = new Map<string, string | undefined>();
  page.on("response", (answer) => {
    const { pathname } = new URL(answer.url());
    const isIcon = pathname === "/art/mark.svg";
    if (answer.request().resourceType() !== "document" && !pathname.startsWith("/api/") && !isIcon) {
      kept.set(pathname, answer.headers()["cache-control"]);
    }
  });
  for (const path of ["/", "/proposals", "/team"]) {
    await page.goto(`${site.origin}${path}`, { waitUntil: "networkidle" });
  }
  const kinds = new Set([...kept.keys()].map((path) => path.split(".").at(-1)));
  expect([...kinds].toSorted()).toEqual(["css", "js", "svg", "woff2"]);
  const otherwise = [...kept].filter(([, how]) => how !== "public, max-age=31536000, immutable");
  expect(otherwise).toEqual([]);
  await page.close();
});

test("a page restored from the history refetches its data", async () => {
  const page = await browser.newPage();
  // A page with this listener is not kept in the back/forward cache.
  await page.addInitScript(() => window.addEventListener("unload", () => undefined));
  await page.goto(`${site.origin}/proposals`, { waitUntil: "networkidle" });
  await page.goto(`${site.origin}/faqs`);
  await Promise.all([
    page.waitForRequest(`${site.origin}/api/user/get-proposals`),
    page.goBack(),
  ]);
  await page.close();
});

async function go(page: Page, path: string): Promise<void> {
  const answer = await page.goto(`${site.origin}${path}`);
  expect(answer?.status(), path).toBe(200);
  const main = await page.locator("main").boundingBox();
  expect(main?.width, `${path} is as wide as the window`).toBe(page.viewportSize()?.width);
}

/** Follows a link by its address: without scripts Playwright cannot wait for it to be clickable. */
async function follow(page: Page, name: string): Promise<void> {
  await go(page, String(await page.getByRole("link", { name }).first().getAttribute("href")));
}

/** The visible text. */
async function sees(page: Page, texts: readonly string[]): Promise<void> {
  const shown = await page.locator("main").innerText();
  for (const text of texts) expect(shown).toContain(text);
}
