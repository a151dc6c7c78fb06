import { expect } from "vitest";
import { openSite } from "./support/journeys.ts";
import { addressOf, everyAddress, MEMBER_PAGES, openPage } from "./support/pages.ts";

// What is small, and holds on every page.

const { journey } = openSite({}, undefined, "localhost");

journey("each page in each language names the picture of its preview", async (_visit, site) => {
  for (const language of ["en", "fr"]) {
    for (const page of everyAddress()) {
      const address = await addressOf(site, page);
      const answer = await fetch(`${site.origin}${address}`, { headers: { "accept-language": language } });
      const text = await answer.text();
      const [, title] = /<meta property="og:title" content="([^"]+) — /.exec(text) ?? [];
      const [, alt] = /<meta property="og:image:alt" content="([^"]*)"/.exec(text) ?? [];
      expect({ address, language, alt }).toEqual({ address, language, alt: title });
    }
  }
});

journey("browsers find the site's icon where they look for it without being told", async (_visit, site) => {
  const answer = await fetch(`${site.origin}/favicon.ico`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
});

journey("no page shows a fingerprint before somebody asks for the proof", async (visit, site) => {
  for (const page of everyAddress()) {
    await openPage(visit, site, page);
    const shown = await visit.page.evaluate(() => {
      for (const proof of document.querySelectorAll("section[aria-labelledby=proof]")) proof.remove();
      return document.body.innerText.match(/\b[0-9a-f]{32,}\b|SHA-256/g) ?? [];
    });
    expect({ page, shown }).toEqual({ page, shown: [] });
  }
});

journey("a passkey without a name is refused beside its field", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  await visit.go(MEMBER_PAGES.account);
  await visit.press("Add a passkey");
  await visit.sees("Give the passkey a name first.");
  const name = visit.field("Name");
  expect(await name.getAttribute("aria-invalid")).toBe("true");
  expect(await name.evaluate((field) => field === document.activeElement)).toBe(true);
});

journey("where the server makes no PDF, the statement says that it is a page", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  await visit.page.route("**/api/user/statement.pdf?*", async (route) => {
    const { pathname, search } = new URL(route.request().url());
    visit.expectStatus(422, pathname + search);
    await route.fulfill({ status: 422, json: { code: "pdf_not_installed", message: "No PDF." } });
  });
  await visit.go(MEMBER_PAGES["my-impact"]);
  const [file] = await Promise.all([visit.page.waitForEvent("download"), visit.press("Download the statement")]);
  expect(file.suggestedFilename()).toMatch(/\.html$/);
  await visit.sees("This site makes no PDF files.");
});

journey("the impact page calls its fees what they are", async (visit) => {
  await visit.go("/impact?period=all");
  const text = await visit.page.getByRole("main").innerText();
  expect(text).toMatch(/^Fees\s+−\$/mu);
  expect(text).toContain("fees on payments are left out, bank fees are not");
});
