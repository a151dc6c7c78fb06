import type { Receipt } from "@/api/schema";
import { readBallotLeaf } from "./ballot";
import { readCanonical } from "./canonical";

/**
 * What became of a promised ballot: the vote is open, it was counted as yes or no, it was dropped,
 * nothing was counted, or the promise is broken.
 */
export type Fate = "promised" | "yes" | "no" | "dropped" | "withdrawn" | "missing";

/** The leaf that ends a vote. */
export type Ending = {
  readonly proposal: string;
  readonly isWithdrawn: boolean;
  /** The leaf hashes of ballots that do not count. */
  readonly dropped: readonly unknown[];
};

/** What a log contains about the ballot of a receipt. */
export type Listing = {
  /** Null while the vote is open. */
  readonly ending: Ending | null;
  /** Whether the log has exactly the receipt's ballot, before the ending. */
  readonly isListed: boolean;
};

const DAY_MS = 86_400_000;

/** What became of the ballot of a receipt; the same rule as in `jara_verify.py`. */
export function fateOf(receipt: Receipt, { ending, isListed }: Listing, now: Date): Fate {
  if (ending === null) return now <= new Date(receipt.listedBy) ? "promised" : "missing";
  if (ending.isWithdrawn) return "withdrawn";
  if (ending.dropped.includes(receipt.leaf)) return "dropped";
  if (!isListed) return "missing";
  return readBallotLeaf(receipt.leafBytes)?.choice === "up" ? "yes" : "no";
}

/** Finds out from the whole log what became of a ballot, without asking anyone about it. */
export function findFate(receipt: Receipt, lines: readonly string[], now: Date): Fate {
  const at = lines.findIndex((line) => readEnding(line)?.proposal === receipt.proposal);
  const listed = lines.indexOf(receipt.leafBytes);
  return fateOf(
    receipt,
    { ending: readEnding(lines[at] ?? ""), isListed: listed !== -1 && listed < at },
    now,
  );
}

/** Parses the leaf that closes or withdraws a vote; null for anything else. */
export function readEnding(leaf: string): Ending | null {
  const { t, proposal, dropped } = readCanonical(leaf) ?? {};
  const isWithdrawn = t === "jara/v1/proposal_withdraw";
  if ((!isWithdrawn && t !== "jara/v1/proposal_close") || typeof proposal !== "string") return null;
  return { proposal, isWithdrawn, dropped: Array.isArray(dropped) ? dropped : [] };
}

/** The key that a leaf names for receipts; null if it names none. */
export function readPromiseKey(leaf: string): string | null {
  const { t, key } = readCanonical(leaf) ?? {};
  return t === "jara/v1/promise_key" && typeof key === "string" ? key : null;
}

/** The instant until which a vote's ballots are to be listed, from the leaf that opens it. */
export function latestListing(leaf: string, proposal: string): Date | null {
  const { t, ends, proposal: own } = readCanonical(leaf) ?? {};
  if (t !== "jara/v1/proposal_open" || own !== proposal || typeof ends !== "string") return null;
  return new Date(Date.parse(ends) + DAY_MS);
}
