import { expect } from "vitest";
import { openSite, WIDTHS } from "./support/journeys.ts";
import { openPage, PUBLIC_PAGES } from "./support/pages.ts";
import { size } from "./support/soak.ts";
import { until } from "./support/wait-until.ts";

const { journey } = openSite();
// Widths between two that are measured.
const STEP = size(96, 16, 16);
const PHONE_STEP = size(4, 1, 1);

for (const [name, path] of Object.entries(PUBLIC_PAGES)) {
  journey(`a visitor reads the page: ${name}`, async (visit, site) => {
    await openPage(visit, site, path);
    await visit.stayedStill();
    await visit.looksRight();
    await visit.looksRightInTheDark();
    expect(await visit.page.locator("h1").count(), "one first heading").toBe(1);
    if (!visit.narrow) return;
    if (name === "home") {
      await visit.page.locator(".below").first().waitFor({ state: "detached" });
      expect(await visit.page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(6000);
    }
    await visit.fitsEverywhere();
    await visit.looksRightWhenWide();
  }, name === "home" ? WIDTHS : undefined);
}

journey("the headline breaks alike in both fonts, once on the way from 320 to 392 px", async (visit) => {
  await visit.go("/");
  const title = visit.page.getByRole("heading", { level: 1 });
  const heights: Record<string, Set<number>> = {};
  for (const font of ["own", "first-frame"]) {
    if (font === "first-frame") await visit.page.evaluate(() => document.body.classList.add("first-frame"));
    for (let width = 320; width <= 392; width += PHONE_STEP) {
      await visit.page.setViewportSize({ width, height: 844 });
      const height = await title.evaluate((heading) => heading.getBoundingClientRect().height);
      (heights[width < 388 ? "narrow" : "wide"] ??= new Set()).add(Math.round(height));
      expect(await visit.page.evaluate(() => document.documentElement.scrollWidth), `${width} px`).toBe(width);
    }
  }
  const [narrow = [], wide = []] = [heights["narrow"], heights["wide"]].map((ones) => [...(ones ?? [])]);
  expect([narrow.length, wide.length]).toEqual([1, 1]);
  expect(Math.round((narrow[0] ?? 0) / (wide[0] ?? 1))).toBe(2);
  await visit.page.setViewportSize({ width: 360, height: 844 });
  expect((await title.innerText()).split("\n")).toEqual(["$1457 disbursed.", "4 lives impacted."]);
}, [390]);

for (const language of ["en", "fr"]) {
  journey(`the headline has as many lines in the font before as in ours, at every width: ${language}`, async (visit) => {
    await visit.go(`/?lang=${language}`);
    const title = visit.page.getByRole("heading", { level: 1 });
    // The rest of the page is not laid out again at each width.
    await visit.page.evaluate(() => {
      for (const part of document.querySelectorAll<HTMLElement>("main > :not(:has(h1)), footer")) part.hidden = true;
    });
    const heights = async (isFirst: boolean) => {
      await visit.page.evaluate((first) => document.body.classList.toggle("first-frame", first), isFirst);
      const measured: Record<number, number> = {};
      for (let width = 392; width <= 2560; width += STEP) {
        await visit.page.setViewportSize({ width, height: 900 });
        measured[width] = await title.evaluate((heading) => Math.round(heading.getBoundingClientRect().height));
      }
      return measured;
    };
    expect(await heights(true)).toEqual(await heights(false));
  }, [1440]);
}

journey("a page inlines its styles, and other pages reuse them", async (visit) => {
  await visit.go("/");
  const styles = () =>
    visit.page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .map((entry) => new URL(entry.name).pathname)
        .filter((file) => file.endsWith(".css")),
    );
  expect(await styles(), "none is loaded").toEqual([]);
  await visit.page.getByRole("main").getByRole("link", { name: "Join Jara" }).first().click();
  await visit.arrivesAt("/join");
  await visit.looksRight();
  const later = await styles();
  expect(later.some((file) => file.includes("/join-")), "the page's own are").toBe(true);
  expect(later.filter((file) => file.includes("/first-")), "not those again").toEqual([]);
});

journey("an unknown address shows the 404 page", async (visit) => {
  visit.expectStatus(404, "/no-such-page");
  await visit.go("/no-such-page");
  await visit.stayedStill();
  await visit.sees("Error 404");
  await visit.looksRight();
  await visit.link("Go to the home page").click();
  await visit.arrivesAt("/");
  await visit.sees("How it works");
});

journey("an unknown proposal and an unknown project show the 404 page", async (visit) => {
  visit.expectStatus(404, "/proposals/no-such-proposal");
  await visit.go("/proposals/no-such-proposal");
  await visit.sees("Error 404");
  await visit.stayedStill();
  await visit.looksRight();
  visit.expectStatus(404, "/projects/no-such-project");
  visit.expectRefusal(404, "/projects/no-such-project");
  await visit.go("/projects/no-such-project");
  await visit.sees("Error 404");
  await visit.stayedStill();
  await visit.looksRight();
});

journey("projects come six at first and three more per press", async (visit) => {
  await visit.go("/projects");
  const cards = visit.page.getByRole("main").getByRole("link", { name: /View project/ });
  await visit.sees("Showing 6 of 9");
  expect(await cards.count()).toBe(6);
  await visit.press("Load More Projects");
  await visit.sees("Showing 9 of 9");
  expect(await cards.count()).toBe(9);
  expect(await visit.button("Load More Projects").count()).toBe(0);
  await visit.looksRight();
  await cards.last().click();
  await visit.page.waitForURL(/\/projects\/[a-z-]+$/);
  await visit.sees("Fund capital used");
});

journey("the tabs lead from projects to grants and back", async (visit) => {
  await visit.go("/projects");
  const tabs = visit.page.getByRole("navigation", { name: "Projects and grants" });
  await tabs.getByRole("link", { name: "Grants" }).click();
  await visit.arrivesAt("/grants");
  await visit.page.getByRole("heading", { name: "GRANTS" }).waitFor();
  await tabs.getByRole("link", { name: "Projects" }).click();
  await visit.arrivesAt("/projects");
});

journey("the header of a project page appears on scrolling down", async (visit) => {
  await visit.go("/projects/clean-water-boreholes");
  const header = visit.page.locator("header").first();
  const top = async () => (await header.boundingBox())?.y ?? Number.NaN;
  expect(await top(), "above the window").toBeLessThan(0);
  await visit.page.mouse.wheel(0, 600);
  await until(async () => expect(await top()).toBeGreaterThanOrEqual(0));
  await visit.press("Expand story");
  await visit.press("Collapse story");
  await visit.link("Go back").click();
  await visit.arrivesAt("/projects");
}, WIDTHS);

journey("several questions may be open at once", async (visit) => {
  await visit.go("/faqs");
  const questions = visit.page.locator("details");
  await questions.nth(1).locator("summary").click();
  await questions.nth(2).locator("summary").click();
  expect(await visit.page.locator("details[open]").count()).toBeGreaterThanOrEqual(2);
  await visit.looksRight();
});

journey("the about page shows sample projects and ledger entries, marked as such", async (visit, site) => {
  const html = await (await fetch(`${site.origin}/why-jara-exists`)).text();
  expect(html, "in the page as served").toContain("Clean water boreholes");
  await visit.go("/why-jara-exists");
  const samples = visit.page.getByRole("region", { name: "How a project and the ledger look" });
  expect(await samples.getByText("Sample data").count(), "each project, and the entries").toBe(4);
  const entries = samples.getByRole("list", { name: /Entries of the open ledger/ }).getByRole("listitem");
  expect(await entries.allTextContents()).toEqual([
    "Monthly contribution+$10.00",
    expect.stringMatching(/^Clean water boreholes[-−]\$8,090\.00$/),
    expect.stringMatching(/[-−]\$/),
    expect.stringMatching(/[-−]\$/),
  ]);
  const moves = () => entries.first().evaluate((one) => getComputedStyle(one).animationName);
  expect(await moves(), "reduced motion").toBe("none");
  await visit.page.emulateMedia({ reducedMotion: "no-preference" });
  expect(await moves()).not.toBe("none");
  await visit.page.emulateMedia({ reducedMotion: "reduce" });
  await visit.looksRight();
  await visit.looksRightInTheDark();
}, WIDTHS);
