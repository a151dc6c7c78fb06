/** What the browser keeps: the token, and per member the vote status of each proposal (spec §3). */
const TOKEN = "token";
export const VOTES = "user_status";
export const BALLOTS = "ballots";

const listeners = new Set<() => void>();

export function readToken(): string | null {
  return read(TOKEN);
}

export function storeToken(token: string): void {
  write(TOKEN, token);
}

/** Forgets the token, the vote status (spec §4: logout), and how the member voted. */
export function forgetSession(): void {
  write(TOKEN, null);
  write(VOTES, null);
  write(BALLOTS, null);
}

/** Forgets a sign-in that the server has ended, and says so to the page as another tab would. */
export function endSession(): void {
  forgetSession();
  window.dispatchEvent(new StorageEvent("storage", { key: TOKEN }));
}

/** Calls back when the token changes, also when another tab changed it. */
export function onTokenChange(listener: () => void): () => void {
  const stop = onChangeElsewhere(listener);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    stop();
  };
}

/** Calls back when the token changes without this page's doing: in another tab, or at the server. */
export function onChangeElsewhere(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === TOKEN || key === null) listener();
  };
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}

/** What is kept under a key, or null. */
export function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage is closed in some private windows; then the session lasts as long as the page.
    return memory.get(key) ?? null;
  }
}

const memory = new Map<string, string>();

/** Keeps a text under a key; null forgets it. */
export function write(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    if (value === null) memory.delete(key);
    else memory.set(key, value);
  }
  if (key === TOKEN) for (const listener of listeners) listener();
}
