import { storedSince } from "@/lib/api/stored-answers";
import { reloadByItself } from "./reload-by-itself";

const AGAIN_MS = 10_000;
const PATIENCE_MS = 4000;

/** Registers the service worker, which keeps the last known pages. */
export async function keepOffline(): Promise<void> {
  // Development has no built pages to keep; browsers offer none without a secure connection.
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  // The event comes before the network answers.
  window.addEventListener("online", () => void askAgain());
  setInterval(() => void askAgain(), AGAIN_MS);
  // The network may have come back before anything listened.
  void askAgain();
  await navigator.serviceWorker.register("/worker.js");
}

/**
 * Loads a page with stored figures again once the network answers: no event tells that a connection
 * which was silent does.
 */
async function askAgain(): Promise<void> {
  if (storedSince() === null || !navigator.onLine || document.hidden) return;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  // The worker passes HEAD on to the network; no-store, for a hanging request for the same address
  // would hold it up.
  const asked = { method: "HEAD", cache: "no-store", signal } as const;
  // oxlint-disable-next-line eslint/no-restricted-globals -- not a call of the API
  const answer = await fetch("/worker.js", asked).catch(() => null);
  if (answer?.ok !== true) return;
  // Unless something typed would be lost; days have a value from the start.
  const fields = document.querySelectorAll<HTMLInputElement>("input, textarea");
  const isTyped = [...fields].some(({ type, value }) => !/checkbox|radio|date/.test(type) && value !== "");
  if (!isTyped) reloadByItself();
}
