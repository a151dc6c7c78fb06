import { expect } from "vitest";
import { GOOD_CARD, introduceSomebody, seesWoven } from "./support/joining.ts";
import { openSite } from "./support/journeys.ts";
import { tabTo } from "./support/keyboard.ts";
import { newPerson } from "./support/organisation.ts";
import { timeOf } from "./support/measure-shown.ts";
import { until } from "./support/wait-until.ts";
import type { Visit } from "./support/visit.ts";

const { journey } = openSite();

journey("the keyboard alone joins, from the first field to the dashboard", async (visit) => {
  const person = newPerson();
  const { keyboard } = visit.page;
  await visit.go("/join");
  for (const [field, text] of [
    ["firstname", person.firstname],
    ["lastname", person.lastname],
    ["email", person.email],
    ["password", person.password],
    ["country", "Ghan"],
  ] as const) {
    await tabTo(visit, field);
    await keyboard.type(text);
  }
  expect(await visit.field("Country").inputValue(), "chosen by its first letters").toBe("Ghana");
  await tabTo(visit, "privacyPolicy");
  await keyboard.press("Space");
  await tabTo(visit, "Next");
  await keyboard.press("Enter");
  await visit.arrivesAt("/join?step=2");
  await tabTo(visit, "$5");
  await keyboard.press("Space");
  await tabTo(visit, "current");
  await keyboard.press("ArrowDown");
  expect(await visit.field(/^1st/).isChecked(), "the next day").toBe(true);
  await keyboard.press("ArrowUp");
  await tabTo(visit, "Next");
  await keyboard.press("Enter");
  await visit.field("Card number").waitFor();
  for (const [field, text] of [
    ["number", GOOD_CARD],
    ["expiry", "0939"],
    ["cvc", "123"],
  ] as const) {
    await tabTo(visit, field);
    await keyboard.type(text);
  }
  await keyboard.press("Enter");
  await seesWoven(visit);
  await visit.arrivesAt("/dashboard");
});

journey("selected and unselected states differ in forced-colours mode", async (visit) => {
  await visit.page.emulateMedia({ forcedColors: "active" });
  await introduceSomebody(visit);
  await visit.looksRight();
  const [ten, twenty] = [visit.button("$10"), visit.button("$20")];
  expect(await look(ten), "the pick that is pressed").not.toEqual(await look(twenty));
  const days = visit.page.locator("label:has(input[type=radio])");
  expect(await look(days.nth(0)), "the day that is chosen").not.toEqual(await look(days.nth(1)));
  const steps = visit.page.getByRole("list", { name: "Sign-up progress" }).getByRole("listitem");
  expect(await look(steps.nth(1)), "the step").not.toEqual(await look(steps.nth(2)));
  await visit.go("/proposals/beekeeping-kits-for-24-farming-families");
  const bar = visit.page.getByRole("img", { name: /voted yes/ }).first();
  const fills = await bar.evaluate((svg) => [...new Set([...svg.querySelectorAll("rect")].map((rect) => getComputedStyle(rect).fill))]);
  expect(fills.length, "colours of the threads").toBeGreaterThan(2);
});

journey("with reduced motion nothing is animated and the cloth is complete", async (visit) => {
  for (const path of ["/", "/proposals", "/login"]) {
    await visit.go(path);
    expect(await moving(visit), `what moves at ${path}`).toEqual([]);
  }
});

journey("a notice is announced, stays five seconds, and Alt+T focuses it", async (visit) => {
  await visit.go("/login");
  const shown = await timeOf(visit, ".Toastify__toast", "not available yet");
  await visit.press("Sign in with Google");
  const notice = visit.page.getByRole("status").filter({ hasText: "not available yet" });
  await notice.waitFor();
  await notice.waitFor({ state: "detached" });
  expect(await shown(), "milliseconds of a notice").toBeGreaterThan(4900);
  await until(async () => {
    await visit.press("Sign in with Google");
    expect(await notice.count()).toBe(1);
  });
  await visit.page.keyboard.press("Alt+t");
  const inRegion = () =>
    visit.page.evaluate(() => document.activeElement?.closest(".Toastify") !== null);
  await until(async () => expect(await inRegion(), "the focus is at the notices").toBe(true));
  await visit.looksRight();
});

journey("a notice is announced while a dialog is open, an error at once", async (visit) => {
  await visit.go("/share");
  await visit.page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("blocked"));
  });
  await visit.press("Copy");
  const notice = visit.page.getByRole("alert").filter({ hasText: "Failed to copy text" });
  await notice.waitFor();
  expect(await notice.textContent()).toMatch(/^Error/);
  expect(await notice.evaluate((element) => element.closest("[inert]"))).toBeNull();
  await visit.looksRight();
});

/** The styles that must differ between states in forced-colours mode. */
async function look(element: ReturnType<Visit["button"]>): Promise<string[]> {
  return await element.evaluate((node) => {
    const style = getComputedStyle(node);
    return [style.backgroundColor, style.outlineStyle, style.borderTopColor, style.color];
  });
}

async function moving(visit: Visit): Promise<string[]> {
  return await visit.page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState }) => playState === "running")
      .map((animation) => (animation as CSSAnimation).animationName),
  );
}
