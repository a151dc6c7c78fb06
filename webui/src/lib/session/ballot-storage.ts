/** Vote status and ballots of the member in this browser. */
import { BALLOTS, VOTES, read, readToken, write } from "./token-storage";

/** A ballot, stored before it is sent, and later its receipt. */
export type StoredBallot = {
  readonly nonce: string;
  readonly choice: string;
  readonly receipt?: unknown;
};

/** Values by member and proposal. */
type PerMember<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

/** The stored vote status of the signed-in member, or null. */
export function readVoteStatus(proposalId: string): string | null {
  return perMember<string>(VOTES)[memberKey()]?.[proposalId] ?? null;
}

export function storeVoteStatus(proposalId: string, status: string): void {
  storeForMember(VOTES, proposalId, status);
}

/** The stored ballot of the signed-in member, or null. */
export function readBallot(proposalId: string): StoredBallot | null {
  return perMember<StoredBallot>(BALLOTS)[memberKey()]?.[proposalId] ?? null;
}

/** The receipts of the signed-in member in this browser, newest last. */
export function storedReceipts(): readonly unknown[] {
  return Object.values(perMember<StoredBallot>(BALLOTS)[memberKey()] ?? {}).flatMap(
    ({ receipt }) => receipt ?? [],
  );
}

export function storeBallot(proposalId: string, ballot: StoredBallot): void {
  storeForMember(BALLOTS, proposalId, ballot);
}

function storeForMember(key: string, proposalId: string, value: unknown): void {
  const member = memberKey();
  const all = perMember<unknown>(key);
  write(key, JSON.stringify({ ...all, [member]: { ...all[member], [proposalId]: value } }));
}

/** The subject of the token, unverified: it only separates members in the storage. */
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
