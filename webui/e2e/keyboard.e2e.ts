import { expect } from "vitest";
import { openSite, WIDTHS } from "./support/journeys.ts";
import { focused, tabTo } from "./support/keyboard.ts";
import { until } from "./support/wait-until.ts";
import type { Visit } from "./support/visit.ts";

const { journey } = openSite();

journey("the keyboard alone skips to the content, opens the menu and follows a link", async (visit) => {
  await visit.go("/");
  await visit.page.keyboard.press("Tab");
  expect(await focused(visit)).toBe("Skip to content");
  if (visit.narrow) await throughTheDrawer(visit);
  else await throughTheMenu(visit);
}, WIDTHS);

journey("the keyboard alone votes: the focus stays in the dialog and comes back", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  await visit.go("/proposals");
  await tabTo(visit, "Cast Vote");
  // Enter stays down and repeats: nothing is cast, whichever control has the focus.
  await holdEnter(visit);
  await focusIsOn(visit, "Cast your vote");
  await tabTo(visit, "Yes");
  await holdEnter(visit);
  await visit.page.keyboard.up("Enter");
  await visit.dialog.getByRole("button", { name: "Yes" }).waitFor();
  await tabTo(visit, "Close dialog");
  const seen = new Set<string>();
  for (const key of ["Tab", "Tab", "Tab", "Tab", "Shift+Tab", "Shift+Tab", "Shift+Tab", "Shift+Tab"]) {
    if (await isInDialog(visit)) seen.add(await focused(visit));
    else await isInBrowser(visit);
    await visit.page.keyboard.press(key);
  }
  expect([...seen].toSorted()).toEqual(["Close dialog", "No", "Yes"]);
  await visit.page.keyboard.press("Escape");
  await visit.dialog.waitFor({ state: "detached" });
  await focusIsOn(visit, "Cast Vote");
  await visit.page.keyboard.press("Enter");
  await visit.dialog.waitFor();
  await tabTo(visit, "No");
  await visit.page.keyboard.press("Enter");
  await tabTo(visit, "Vote no. This is final.");
  await visit.page.keyboard.press("Enter");
  await visit.dialog.getByText("Your vote has been counted...").waitFor();
  expect(await isInDialog(visit)).toBe(true);
  await visit.page.keyboard.press("Escape");
  await focusIsOn(visit, "See your vote");
});

journey("the focus stays near a control that was removed", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  await visit.go("/dashboard");
  await pressByKey(visit, "Change it");
  await pressByKey(visit, "Cancel");
  await focusIsOn(visit, "Change it");
  await pressByKey(visit, "Change it");
  await pressByKey(visit, "Update");
  await focusIsOn(visit, "Change it");

  await visit.go("/dashboard?tab=account");
  await pressByKey(visit, "Stop my pledge");
  await visit.dialog.getByRole("button", { name: "Stop my pledge" }).press("Enter");
  await focusIsOn(visit, "Your pledge");
  await visit.go("/dashboard");
  await pressByKey(visit, "Start my pledge");
  await until(async () => expect(await visit.field("New monthly amount").evaluate(isFocused)).toBe(true));
  await pressByKey(visit, "Cancel");
  await focusIsOn(visit, "Start my pledge");

  await visit.go("/ledger");
  await visit.field("Search").fill("nothing is called so");
  await pressByKey(visit, "Filter");
  await pressByKey(visit, "Clear filters");
  await focusIsOn(visit, "Filter");
});

journey("after a navigation the focus is on the new page, at its top", async (visit) => {
  await visit.go("/faqs");
  if (visit.narrow) {
    await visit.press("Open menu");
    await visit.dialog.getByRole("link", { name: "Terms" }).click();
  } else {
    await visit.page.getByRole("contentinfo").getByRole("link", { name: "Terms" }).click();
  }
  await visit.arrivesAt("/terms");
  await visit.settle();
  await until(async () => {
    const main = await visit.page.evaluate(() => document.activeElement?.closest("main")?.id);
    expect(main).toBe("main");
  });
  expect(await visit.page.evaluate(() => window.scrollY)).toBe(0);
}, WIDTHS);

async function throughTheMenu(visit: Visit): Promise<void> {
  await tabTo(visit, "About");
  await visit.page.keyboard.press("Enter");
  await visit.page.keyboard.press("Tab");
  expect(await focused(visit)).toMatch(/^About Jara/);
  await visit.looksRight();
  await visit.page.keyboard.press("Escape");
  expect(await focused(visit)).toBe("About");
  await tabTo(visit, "Impact");
  await visit.page.keyboard.press("Enter");
  await visit.page.keyboard.press("Tab");
  await visit.page.keyboard.press("Enter");
  await visit.arrivesAt("/projects");
}

async function throughTheDrawer(visit: Visit): Promise<void> {
  await tabTo(visit, "Open menu");
  await visit.page.keyboard.press("Enter");
  await visit.dialog.waitFor();
  await visit.looksRight();
  for (let presses = 0; presses < 25; presses += 1) {
    await visit.page.keyboard.press("Tab");
    if (!(await isInDialog(visit))) await isInBrowser(visit);
  }
  await visit.page.keyboard.press("Escape");
  await visit.dialog.waitFor({ state: "detached" });
  await focusIsOn(visit, "Open menu");
  await visit.page.keyboard.press("Enter");
  await visit.dialog.waitFor();
  await tabTo(visit, "Projects");
  await visit.page.keyboard.press("Enter");
  await visit.arrivesAt("/projects");
}

async function focusIsOn(visit: Visit, name: string): Promise<void> {
  await until(async () => expect(await focused(visit)).toBe(name));
}

async function isInDialog(visit: Visit): Promise<boolean> {
  return await visit.dialog.evaluate((dialog) => dialog.contains(document.activeElement));
}

/** After the last control Tab leads to the browser's own controls, never to the page behind. */
async function isInBrowser(visit: Visit): Promise<void> {
  const tag = await visit.page.evaluate(() => document.activeElement?.tagName);
  expect(tag, "what has the focus outside the dialog").toBe("BODY");
}

async function pressByKey(visit: Visit, name: string): Promise<void> {
  await visit.button(name).press("Enter");
}

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}

/** Presses Enter down, which repeats; it is not released. */
async function holdEnter(visit: Visit): Promise<void> {
  for (let repeats = 0; repeats < 5; repeats += 1) await visit.page.keyboard.down("Enter");
}
