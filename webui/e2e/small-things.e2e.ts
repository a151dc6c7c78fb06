import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { castVote, openSite } from "./support/journeys.ts";
import { until } from "./support/wait-until.ts";

const { journey } = openSite();

journey("a deadline has its hour and zone in the reader's time, and says what is left", async (visit, site) => {
  const toronto = await visit.page.context().newCDPSession(visit.page);
  await toronto.send("Emulation.setTimezoneOverride", { timezoneId: "America/Toronto" });
  await visit.go("/proposals/beekeeping-kits-for-24-farming-families");
  await visit.sees(/^Proposal to vote on, by \w+, \d+ \w+, 18:59 EST$/);
  const { slug } = await site.openShortVote(`Lamps for jetty ${visit.width}`);
  await visit.go(`/proposals/${slug}`);
  await visit.sees(/^\d+ seconds? left$/);
  // The bar at the bottom of a phone.
  if (visit.narrow) await visit.sees(/^closes \w+, \d+ \w+, \d\d:\d\d EST\s· \d+ seconds? left$/);
});

journey("what failed offline loads by itself when the network is back", async (visit) => {
  await visit.go("/");
  visit.expectLosses(/\/api\/|\/assets\//);
  await visit.page.context().setOffline(true);
  await visit.page.getByRole("link", { name: "All projects" }).first().click();
  await visit.sees(/did not load/);
  await visit.page.context().setOffline(false);
  await visit.sees("Clean water boreholes");
});

journey("figures that come late have room: nothing moves", async (visit) => {
  await visit.page.route(/\/api\//, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  for (const path of ["/donate", "/projects/clean-water-boreholes"]) {
    await visit.go(path);
    await visit.settle();
    await visit.stayedStill(0.01);
  }
});

journey("after the first frame every section of a prerendered page is laid out", async (visit) => {
  await visit.go("/");
  const html = visit.page.locator("html");
  await until(async () => expect(await html.getAttribute("class")).toBe(""));
  const skipped = visit.page.locator("main section").evaluateAll((sections) =>
    sections.filter((section) => getComputedStyle(section).contentVisibility === "auto").length,
  );
  expect(await skipped).toBe(0);
});

journey("a member's receipt is found in this browser and names the proposal", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  await visit.go("/proposals/beekeeping-kits-for-24-farming-families");
  await visit.press("Cast Vote");
  await castVote(visit, "Yes");
  await visit.dialog.getByText("Your vote has been counted...").waitFor();
  await visit.go("/check-vote");
  await visit.press("Check my vote on “Beekeeping kits for 24 farming families”");
  await visit.sees(/A ballot for Yes on the proposal “Beekeeping kits for 24 farming families”/);
  await visit.looksRight();

  await visit.go("/projects/clean-water-boreholes");
  expect(await visit.link("Join to contribute").count()).toBe(0);
  await visit.link("Where my money went").waitFor();
});

journey("a used reset link says so before a password is typed", async (visit, site) => {
  const member = await site.newMember();
  await site.post("/user/forgot-password", { email: member.email });
  const link = await site.linkInMailTo(member.email, "/reset-password");
  const code = new URLSearchParams(link.split("?")[1]).get("code") ?? "";
  const password = "kente harbour sunrise two";
  await site.post("/user/reset-password", { code, newPassword: password, confirmNewPassword: password });
  visit.expectRefusal(422, "/user/reset-password/check");
  await visit.go(link);
  await visit.sees(/This link was used already/);
  expect(await visit.field("New password").count()).toBe(0);
  await visit.looksRight();
});

journey("paper leaves out the menu and the newsletter; a title is never empty", async (visit) => {
  await visit.go("/");
  await visit.page.evaluate(() => {
    const titles: string[] = [];
    new MutationObserver(() => titles.push(document.title)).observe(document.head, {
      childList: true,
      subtree: true,
      characterData: true,
    });
    Object.assign(window, { titles });
  });
  await visit.page.getByRole("link", { name: "All projects" }).first().click();
  await visit.arrivesAt("/projects");
  await visit.settle();
  const titles = await visit.page.evaluate(() => (window as unknown as { titles: string[] }).titles);
  expect(titles.filter((title) => title === "")).toEqual([]);
  await visit.page.emulateMedia({ media: "print" });
  expect(await visit.button("Open menu").count()).toBe(0);
  expect(await visit.page.getByLabel("Email").filter({ visible: true }).count()).toBe(0);
  await visit.page.emulateMedia({ media: "screen" });

  await visit.go("/how-jara-works");
  await visit.page.getByRole("heading", { name: "How a vote is counted, and how to check it" }).waitFor();
  for (const [path, width] of [["/join", 390], ["/login", 390], ["/login", 1440]] as const) {
    await visit.page.setViewportSize({ width, height: 900 });
    await visit.go(path);
    await visit.settle();
    const edge = await visit.page.evaluate(() => {
      const edges = [...document.querySelectorAll('[class*="selvedge"]')];
      return Math.max(...edges.map((one) => one.getBoundingClientRect().width)) - window.innerWidth;
    });
    expect(edge, `the selvedge spans ${path} at ${width}`).toBe(0);
  }
  await until(async () => expect(await visit.page.title()).toContain("Sign in"));
}, [1440]);

journey("an address with an encoded slash shows the 404 page that the server sent", async (visit) => {
  for (const path of ["/projects/a%2Fb", "/proposals/a%2fb"]) {
    visit.expectStatus(404, path);
    await visit.go(path);
    await visit.sees("Error 404");
  }
});

journey("the cloth of the dashboard reaches the end of its card, also with a long name", async (visit, site) => {
  const firstname = "Wolfeschlegelsteinhausenbergerdorff";
  await visit.signInAs(await site.newMember({ firstname, lastname: "Keihanaikukauakahihuliheekahaunaele" }));
  await visit.go("/dashboard");
  const heading = visit.page.getByRole("heading", { level: 1, name: firstname });
  const [card, cloth] = await heading.evaluate((element) => {
    const own = element.closest("section") ?? document.body;
    const drawn = [...own.querySelectorAll("svg")].map((one) => one.getBoundingClientRect());
    return [own.getBoundingClientRect().bottom, Math.max(...drawn.map(({ bottom }) => bottom))];
  });
  // What is too long is cut off by the card.
  expect((card ?? 0) - (cloth ?? 0), "pixels between cloth and edge").toBeLessThan(2);
}, [390, 1440]);

journey("the ground of the member area reaches the end of the window", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  await visit.go("/dashboard?tab=events");
  const [middle, end] = await visit.page.evaluate(() =>
    [window.innerHeight / 2, window.innerHeight - 2].map((y) => {
      const layers = document.elementsFromPoint(5, y).map((one) => getComputedStyle(one).backgroundColor);
      return layers.find((colour) => colour !== "rgba(0, 0, 0, 0)");
    }),
  );
  expect(end).toBe(middle);
}, [390, 1440]);

journey("long words of French titles are not cut into pieces", async (visit) => {
  for (const path of ["/privacy", "/terms", "/faqs", "/impact", "/why-jara-exists"]) {
    await visit.go(`${path}?lang=fr`);
    const broken = await visit.page.getByRole("heading", { level: 1 }).evaluate((title) => {
      const text = title.firstChild;
      const words = [...(text?.textContent ?? "").matchAll(/\S+/g)];
      return words.filter(({ index, 0: word }) => {
        const range = document.createRange();
        range.setStart(text as Node, index);
        range.setEnd(text as Node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        return lines.size > 1 && !word.includes("-");
      }).map(([word]) => word);
    });
    expect(broken, path).toEqual([]);
  }
}, [390, 1440]);

journey("each milestone that is done and each update of the samples has its picture, and each loads", async (visit) => {
  await visit.go("/projects");
  const projects = await visit.page.evaluate(async () => {
    const cards = (await (await fetch("/api/projects")).json()) as { slug: string }[];
    const found = [];
    for (const { slug } of cards) {
      // One at a time: the server answers a few such calls at once, and 503 to others.
      const project = (await (await fetch(`/api/projects/${slug}`)).json()) as SampleProject;
      found.push({ slug, milestones: project.milestones.filter(({ completed }) => completed).length, updates: project.updates.length });
    }
    return found;
  });
  const shown = projects.filter(({ milestones }) => milestones > 0);
  expect(shown.length, "projects with milestones").toBeGreaterThan(3);
  for (const { slug, milestones, updates } of shown) {
    await visit.go(`/projects/${slug}`);
    const pictures = visit.page.getByRole("region", { name: "Milestones" }).locator("figure img");
    expect(await pictures.count(), `pictures of the milestones of ${slug}`).toBe(milestones);
    for (const picture of await pictures.all()) await hasLoaded(picture);
    const field = visit.page.getByRole("region", { name: "From the field" });
    if (updates > 0) await hasLoaded(field.locator("img").first());
  }
});

journey("summaries are in whole dollars, payments in cents", async (visit) => {
  const cents = /\$[\d,]+\.\d\d/;
  for (const path of ["/", "/donations", "/why-jara-exists"]) {
    await visit.go(path);
    await visit.settle();
    // Sample entries of the ledger are payments.
    const payments = await visit.page.getByRole("list", { name: /Entries of the open ledger/ }).allInnerTexts();
    const text = await visit.page.getByRole("main").innerText();
    const summaries = payments.reduce((rest, list) => rest.replace(list, ""), text);
    const amounts = summaries.match(/\$[\d,.]*\d/g) ?? [];
    expect(amounts.length, `amounts of ${path}`).toBeGreaterThan(2);
    expect(amounts.filter((amount) => cents.test(amount)), `amounts with cents of ${path}`).toEqual([]);
  }
  await visit.go("/projects/clean-water-boreholes");
  expect(await visit.page.getByText(/paid/).filter({ hasText: cents }).count()).toBeGreaterThan(1);
});

journey("what is said of all projects is true of those that were never voted on", async (visit) => {
  await visit.go("/projects");
  expect(await visit.page.getByRole("main").innerText()).not.toMatch(/voted|decided/i);
  await visit.go("/projects/hillside-clinic-refit");
  expect(await visit.page.getByRole("main").innerText()).not.toMatch(/voted to fund|Decided by members/i);
  await visit.go("/projects/clean-water-boreholes");
  await visit.sees("Decided by members");
});

type SampleProject = { milestones: { completed: boolean }[]; updates: unknown[] };

/** Scrolls to a picture, which may load only then, and waits until it is there. */
async function hasLoaded(picture: Locator): Promise<void> {
  await picture.scrollIntoViewIfNeeded();
  await until(async () => {
    const width = await picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
    expect(width, "width of a picture that has loaded").toBeGreaterThan(0);
  });
}
