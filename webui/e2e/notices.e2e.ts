import { expect } from "vitest";
import { introduceSomebody } from "./support/joining.ts";
import { openSite, WIDTHS } from "./support/journeys.ts";
import type { Visit } from "./support/visit.ts";
import { until } from "./support/wait-until.ts";

const { journey } = openSite();

journey("a notice stands clear of the fields, and goes with its form", async (visit, site) => {
  const { email } = await introduceSomebody(visit);
  const member = await site.newMember();
  // A notice that slides in is not where it will be.
  await visit.page.emulateMedia({ reducedMotion: "no-preference" });
  await visit.press("Back");
  await visit.field("Email").fill(member.email);
  visit.expectRefusal(409, "/email-exists");
  // Where the notice will be, on a phone whose keyboard is open.
  if (visit.narrow) await visit.page.setViewportSize({ width: 390, height: 440 });
  await visit.field("Email").focus();
  await visit.field("Email").evaluate((field) => window.scrollBy(0, field.getBoundingClientRect().top - 20));
  await visit.page.keyboard.press("Enter");
  await visit.isTold(/already/);
  await standsClear(visit, "[aria-invalid=true]");
  await visit.field("Email").fill(email);
  await visit.press("Next");
  await visit.arrivesAt("/join?step=2");
  await isGone(visit);

  await visit.go("/login");
  await visit.field("Email").fill(member.email);
  await visit.field("Password").fill("not the password");
  visit.expectRefusal(401, "/user/login");
  await visit.field("Email").evaluate((field) => window.scrollBy(0, field.getBoundingClientRect().top - 20));
  await visit.field("Password").press("Enter");
  await visit.isTold(/password/i);
  await standsClear(visit, "main input, main label");
  await visit.link("Having trouble signing in?").click();
  await visit.arrivesAt("/reset-password");
  await isGone(visit);

  const tooMany = { status: 429, json: { success: false, message: "Please wait a minute." } };
  await visit.page.route("**/api/user/forgot-password", (route) => route.fulfill(tooMany));
  visit.expectRefusal(429, "/user/forgot-password");
  await visit.field("Email").fill(member.email);
  await visit.press("Send me a link");
  await visit.isTold("Please wait a minute.");
  await standsClear(visit, "main input, main label");
  await visit.page.goBack();
  await visit.arrivesAt("/login");
  await isGone(visit);

  await visit.signInAs(member);
  await visit.page.route("**/api/user/export", (route) => route.fulfill(tooMany));
  visit.expectRefusal(429, "/user/export");
  await visit.go("/dashboard?tab=account");
  await visit.press("Download");
  await visit.isTold("Please wait a minute.");
  await visit.page.getByRole("tab", { name: "Dashboard" }).click();
  await isGone(visit);
}, WIDTHS);

/** Expects that the notice, once it is in its place, covers none of these elements. */
async function standsClear(visit: Visit, selector: string): Promise<void> {
  await until(async () => {
    const { inPlace, tops, covered } = await visit.page.evaluate((wanted) => {
      const notice = document.querySelector(".Toastify__toast")?.getBoundingClientRect() ?? new DOMRect();
      const places = [...document.querySelectorAll(wanted)].map((element) => element.getBoundingClientRect());
      const under = places.filter(
        ({ left, right, top, bottom }) =>
          left < notice.right && right > notice.left && top < notice.bottom && bottom > notice.top,
      );
      return {
        inPlace: notice.height > 0 && notice.right <= window.innerWidth,
        tops: places.map(({ top }) => top),
        covered: under.map(({ top }) => top),
      };
    }, selector);
    expect(inPlace, "a notice that no longer slides in").toBe(true);
    expect(Math.min(...tops), "the top of the first field").toBeGreaterThanOrEqual(0);
    expect(covered, "the tops of what the notice covers").toEqual([]);
  });
}

/** Expects that the notice goes at once, not when its five seconds are over. */
async function isGone(visit: Visit): Promise<void> {
  const began = Date.now();
  await visit.page.locator(".Toastify__toast").first().waitFor({ state: "detached" });
  expect(Date.now() - began, "milliseconds until the notice is gone").toBeLessThan(2000);
}
