/** How the member voted, as this browser knows it: apart from the token, since few pages need it. */
import { BALLOTS, VOTES, read, readToken, write } from "./token-storage";

/** What the browser keeps of a ballot before it is sent, and the receipt once there is one. */
export type KeptBallot = {
  readonly nonce: string;
  readonly choice: string;
  readonly receipt?: unknown;
};

/** Values by member and proposal. */
type PerMember<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

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
