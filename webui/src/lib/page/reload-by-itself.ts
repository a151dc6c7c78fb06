const RELOADED = "reloaded";
const REST_MS = 60_000;

/**
 * Loads the page again without being asked: at most once a minute in one tab, whatever the reason,
 * so that a wrong reason cannot keep a reader from the page.
 */
export function reloadByItself(): void {
  try {
    // Also far in the future: someone may have set the clock.
    if (Math.abs(Date.now() - Number(sessionStorage.getItem(RELOADED))) < REST_MS) return;
    sessionStorage.setItem(RELOADED, String(Date.now()));
  } catch {
    // Without storage the next page would not know of this reload.
    return;
  }
  location.reload();
}
