import { storedSince } from "@/lib/api/stored-answers";

const AGAIN_MS = 10_000;
const PATIENCE_MS = 4000;

/** Registers the service worker, which keeps the last known pages. */
export async function keepOffline(): Promise<void> {
  // Development has no built pages to keep; browsers offer none without a secure connection.
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  window.addEventListener("online", renew);
  setInterval(() => void askAgain(), AGAIN_MS);
  // The network may have come back before anything listened.
  void askAgain();
  await navigator.serviceWorker.register("/worker.js");
}

/** No event tells that a connection which was silent answers again. */
async function askAgain(): Promise<void> {
  if (storedSince() === null || !navigator.onLine || document.hidden) return;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  // The worker answers GET only, so that this asks the network; no-store, for a hanging request for
  // the same address would hold it up.
  const asked = { method: "HEAD", cache: "no-store", signal } as const;
  // oxlint-disable-next-line eslint/no-restricted-globals -- not a call of the API
  const answer = await fetch("/worker.js", asked).catch(() => null);
  if (answer?.ok === true) renew();
}

/** Loads a page with stored figures again, unless something typed would be lost. */
function renew(): void {
  const fields = document.querySelectorAll<HTMLInputElement>("input, textarea");
  const isTyped = [...fields].some(({ type, value }) => !/checkbox|radio/.test(type) && value !== "");
  if (storedSince() !== null && !isTyped) location.reload();
}
