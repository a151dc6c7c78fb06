import { storedSince } from "@/lib/api/stored-answers";

/** Registers the service worker, which keeps the last known pages. */
export async function keepOffline(): Promise<void> {
  // Development has no built pages to keep; browsers offer none without a secure connection.
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  window.addEventListener("online", renew);
  await navigator.serviceWorker.register("/worker.js");
}

/** Loads a page with stored figures again, unless something typed would be lost. */
function renew(): void {
  const fields = document.querySelectorAll<HTMLInputElement>("input, textarea");
  const isTyped = [...fields].some(({ type, value }) => !/checkbox|radio/.test(type) && value !== "");
  if (storedSince() !== null && !isTyped) location.reload();
}
