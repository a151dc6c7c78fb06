import type { Visit } from "./visit.ts";

/**
 * Measures inside the page how long a text is shown; on a busy machine events reach the test late.
 *
 * @returns a function that gives the milliseconds once the text has gone.
 */
export async function timeOf(
  visit: Visit,
  selector: string,
  text: string,
): Promise<() => Promise<number>> {
  const watched = await visit.page.evaluateHandle(
    ([where, what]) => {
      const seen: { from: number | null; to: number | null } = { from: null, to: null };
      new MutationObserver(() => {
        const there = [...document.querySelectorAll(where)].some(
          ({ textContent }) => textContent?.includes(what) === true,
        );
        if (there) seen.from ??= performance.now();
        else if (seen.from !== null) seen.to ??= performance.now();
      }).observe(document.body, { childList: true, subtree: true, characterData: true });
      return seen;
    },
    [selector, text] as const,
  );
  return async () => {
    await visit.page.waitForFunction(({ to }) => to !== null, watched);
    return await watched.evaluate(({ from, to }) => (to ?? 0) - (from ?? 0));
  };
}
