/** Browser storage: the token, and per member the vote status of each proposal (spec §3). */
const TOKEN = "token";
export const VOTES = "user_status";
export const BALLOTS = "ballots";
/** Kept after signing out: it tells the server that the member signed in here before. */
export const DEVICE = "device";

const listeners = new Set<() => void>();

export function readToken(): string | null {
  return read(TOKEN);
}

export function storeToken(token: string): void {
  write(TOKEN, token);
}

/** Removes token, vote status and ballots (spec §4: logout). */
export function forgetSession(): void {
  write(TOKEN, null);
  write(VOTES, null);
  write(BALLOTS, null);
}

/** Removes a session that the server has ended, and notifies the page. */
export function endSession(): void {
  forgetSession();
  window.dispatchEvent(new StorageEvent("storage", { key: TOKEN }));
}

/** Calls the listener when the token changes, also from another tab. */
export function onTokenChange(listener: () => void): () => void {
  const stop = onChangeElsewhere(listener);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    stop();
  };
}

/** Calls the listener when another tab or the server changes the token. */
export function onChangeElsewhere(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === TOKEN || key === null) listener();
  };
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}

/** The value of a key, or null. */
export function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Some private windows block storage; the session then lasts as long as the page.
    return memory.get(key) ?? null;
  }
}

const memory = new Map<string, string>();

/** Stores a value; null removes it. */
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
