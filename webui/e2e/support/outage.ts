import { expect, vi } from "vitest";
import { modulesWith } from "./modules.ts";
import type { Visit } from "./visit.ts";
import { until } from "./wait-until.ts";

export const LOST = /[Ww]e could not reach|We got no answer|Your connection dropped|could not be reached|did not (?:load|open|download)/;

/** What needs no error of its own. */
const OTHERS = [
  "lib/api/api-client.ts", // what the others ask with
  "lib/api/resource.tsx", // pages load again by themselves: small-things.e2e.ts
  "lib/member/member.ts", // asked again until the payment is known
  "lib/page/keep-offline.ts", // what makes the pages work offline
  "lib/session/session.ts", // whoever signs out is signed out without an answer too
  "desk/calls.ts", // a trustee's signature: desk.e2e.ts
  "app/site-footer.tsx", // the language of the page changes without an answer too
  "field/sending.ts", // reports wait on the phone: field.e2e.ts
];
const pressed = new Set<string>();

/** Checks that every module of the site which asks the server has been pressed without a network. */
export async function everyModuleWasPressed(): Promise<void> {
  const asking = await modulesWith(/\b(?:apiSend|apiGet|apiDownload|fetch)\(/);
  expect([...pressed, ...OTHERS].toSorted(), "modules that ask the server").toEqual(asking);
}

/**
 * Presses without a network, then with one again. A payment or a vote may have arrived, so it asks until the next press.
 *
 * @param module that asks the server.
 */
export async function losesNetwork(visit: Visit, module: string, press: () => Promise<void>, mayHaveArrived = false): Promise<void> {
  pressed.add(module);
  const what = `${module} at ${visit.address}`;
  // The code of the notices is fetched when a field is first used.
  await visit.page.evaluate(() => window.dispatchEvent(new FocusEvent("focusin")));
  await visit.settle();
  await visit.page.context().setOffline(true);
  visit.expectLosses(/./);
  await press();
  await until(async () => expect(await places(visit), `errors of ${what}`).toHaveLength(1));
  await visit.page.waitForTimeout(400);
  expect(await places(visit), `errors of ${what}`).toHaveLength(1);
  expect(await covered(visit), `covered by the notice of ${what}`).toEqual([]);
  await visit.page.context().setOffline(false);
  if (mayHaveArrived) return;
  // Sooner than a notice goes by itself.
  const after = async () => expect(await places(visit), `errors of ${what} afterwards`).toEqual([]);
  await vi.waitFor(after, { timeout: 3000, interval: 50 });
}

/** The places in which the loss is told; the steps of one check are one. */
async function places(visit: Visit): Promise<string[]> {
  return await visit.page.evaluate((words) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const told = new Map<Element, string>();
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      const text = walker.currentNode.textContent ?? "";
      if (new RegExp(words).test(text) && parent?.checkVisibility({ opacityProperty: true })) told.set(parent.closest("ol") ?? parent, text);
    }
    return [...told.values()];
  }, LOST.source);
}

/** The names of the controls that a notice covers, of the dialog or form in use. */
async function covered(visit: Visit): Promise<string[]> {
  return await visit.page.evaluate(() => {
    const form = document.querySelector("dialog[open]") ?? document.activeElement?.closest("form");
    return [...(form?.querySelectorAll("button, input, select, textarea") ?? [])]
      .filter((control) => {
        const { left, top, width, height } = control.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        if (width === 0 || y < 0 || y > innerHeight) return false;
        return document.elementsFromPoint(x, y)[0]?.closest(".Toastify__toast") !== null && !control.closest(".Toastify__toast");
      })
      .map((control) => control.getAttribute("aria-label") ?? control.textContent ?? control.outerHTML);
  });
}
