/** What the browser keeps: the token, and per member the vote status of each proposal (spec §3). */
const TOKEN = "token";
const VOTES = "user_status";
const BALLOTS = "ballots";

/** What the browser keeps of a ballot before it is sent, and the receipt once there is one. */
export type KeptBallot = {
  readonly nonce: string;
  readonly choice: string;
  readonly receipt?: unknown;
};

/** Values by member and proposal. */
type PerMember<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

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

/** The vote status that was stored for the member of the token, or null. */
export function readVoteStatus(proposalId: string): string | null {
  return perMember<string>(VOTES)[memberKey()]?.[proposalId] ?? null;
}

export function storeVoteStatus(proposalId: string, status: string): void {
  storeForMember(VOTES, proposalId, status);
}

/** What is kept of the member's ballot on a proposal, or null. */
export function readBallot(proposalId: string): KeptBallot | null {
  return perMember<KeptBallot>(BALLOTS)[memberKey()]?.[proposalId] ?? null;
}

export function storeBallot(proposalId: string, ballot: KeptBallot): void {
  storeForMember(BALLOTS, proposalId, ballot);
}

function storeForMember(key: string, proposalId: string, value: unknown): void {
  const member = memberKey();
  const all = perMember<unknown>(key);
  write(key, JSON.stringify({ ...all, [member]: { ...all[member], [proposalId]: value } }));
}

/** The subject of the token. Nothing is trusted on its account: it only tells members apart. */
function memberKey(): string {
  const [, payload = ""] = (readToken() ?? "").split(".");
  try {
    const json = atob(payload.replaceAll("-", "+").replaceAll("_", "/"));
    const { sub } = JSON.parse(json) as { sub?: unknown };
    return typeof sub === "string" ? sub : "";
  } catch {
    return "";
  }
}

function perMember<T>(key: string): PerMember<T> {
  try {
    const value: unknown = JSON.parse(read(key) ?? "{}");
    return typeof value === "object" && value !== null ? (value as PerMember<T>) : {};
  } catch {
    return {};
  }
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage is closed in some private windows; then the session lasts as long as the page.
    return memory.get(key) ?? null;
  }
}

const memory = new Map<string, string>();

function write(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    if (value === null) memory.delete(key);
    else memory.set(key, value);
  }
  if (key === TOKEN) for (const listener of listeners) listener();
}
