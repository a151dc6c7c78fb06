import type { Visit } from "./visit.ts";

/** Name of the focused element: a field's name or value, else its label or text. */
export async function focused(visit: Visit): Promise<string> {
  return await visit.page.evaluate(() => {
    const element = document.activeElement;
    if (element instanceof HTMLInputElement) {
      return element.type === "radio" ? element.value : element.name;
    }
    if (element instanceof HTMLSelectElement) return element.name;
    return (element?.getAttribute("aria-label") ?? element?.textContent ?? "").trim();
  });
}

/** Presses Tab until the element with that name (see `focused`) has the focus. */
export async function tabTo(visit: Visit, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focused(visit)) === name) return;
    await visit.page.keyboard.press("Tab");
  }
  throw new Error(`Sixty presses of Tab did not reach ${name}.`);
}
