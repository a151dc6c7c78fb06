// When the figures on the screen were true, if the service worker had to take stored ones.

const readers = new Set<() => void>();
const arrived = Date.now();
// Only the worker says that a page is stored: no clock and no time zone can be mistaken for it.
let oldest = import.meta.env.SSR ? Infinity : timeOf(document.documentElement.dataset["stored"]);

/** Notes when a stored answer was true; null for one that just came. */
export function noteStored(date: string | null): void {
  const told = timeOf(date);
  if (told >= oldest) return;
  oldest = told;
  for (const tell of readers) tell();
}

/** When the oldest figures were true: milliseconds, or null if they came from the network. */
export function storedSince(): number | null {
  if (oldest !== Infinity) return oldest;
  return navigator.onLine ? null : arrived;
}

function timeOf(date: string | null | undefined): number {
  return Date.parse(date ?? "") || Infinity;
}

/** Follows changes of `storedSince`. */
export function watchStored(tell: () => void): () => void {
  readers.add(tell);
  window.addEventListener("online", tell);
  window.addEventListener("offline", tell);
  return () => {
    readers.delete(tell);
    window.removeEventListener("online", tell);
    window.removeEventListener("offline", tell);
  };
}
