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

/** Calls back when the token changes, also when another tab changed it. */
export function onTokenChange(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === TOKEN || event.key === null) listener();
  };
  listeners.add(listener);
  window.addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", onStorage);
  };
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
