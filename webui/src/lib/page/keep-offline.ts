import { storedSince } from "@/lib/api/stored-answers";

/** Registers the service worker and names to it what this page loaded before it was there. */
export async function keepOffline(): Promise<void> {
  // Development has no built pages to keep; browsers offer none without a secure connection.
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  window.addEventListener("online", renew);
  const workers = navigator.serviceWorker;
  const wasThere = workers.controller !== null;
  await workers.register("/worker.js");
  if (wasThere) return;
  const { active } = await workers.ready;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  // A worker has the origin of its page and takes none here.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  active?.postMessage({ url: location.href.replace(/#.*/, ""), loaded });
}

/** Loads a page with stored figures again, unless something typed would be lost. */
function renew(): void {
  const fields = document.querySelectorAll<HTMLInputElement>("input, textarea");
  const isTyped = [...fields].some(({ type, value }) => !/checkbox|radio/.test(type) && value !== "");
  if (storedSince() !== null && !isTyped) location.reload();
}
