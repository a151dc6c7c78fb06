// When the figures on the screen were true, if the service worker had to take stored ones.

const readers = new Set<() => void>();
// Times of documents have whole seconds; the worker makes a stored page older than this.
const RECENT_MS = 2000;
// The server sends no Last-Modified with pages: then it is the time of now, when the page arrived.
const page = import.meta.env.SSR ? 0 : Date.parse(document.lastModified) || Date.now();
let oldest = Infinity;

/** Notes when a stored answer was true; null for one that just came. */
export function noteStored(date: string | null): void {
  const told = Date.parse(date ?? "");
  if (!(told < oldest)) return;
  oldest = told;
  for (const tell of readers) tell();
}

/** When the oldest figures were true: milliseconds, or null if they came from the network. */
export function storedSince(): number | null {
  const stored = Math.min(oldest, page < performance.timeOrigin - RECENT_MS ? page : Infinity);
  if (stored !== Infinity) return stored;
  return navigator.onLine ? null : page;
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
