import { readCanonical } from "./canonical";
import { fromHex, join, sha256, toBase32, toHex, utf8, type Bytes } from "./bytes";

const TYPE = "jara/v1/ballot";

/** A ballot as it stands in the public log. */
export type Ballot = {
  readonly proposal: string;
  readonly voter: string;
  readonly choice: "up" | "down";
  readonly nonceHash: string;
};

/** Parses a leaf; null if it is not canonical JSON or not a ballot. */
export function readBallotLeaf(leafBytes: string): Ballot | null {
  const leaf = readCanonical(leafBytes);
  if (leaf === null || leaf["t"] !== TYPE) return null;
  const { proposal, voter, choice, nonce_hash: nonceHash, t: _t, ...others } = leaf;
  const isBallot =
    Object.keys(others).length === 0 &&
    typeof proposal === "string" &&
    typeof voter === "string" &&
    typeof nonceHash === "string" &&
    (choice === "up" || choice === "down");
  return isBallot ? { proposal, voter, choice, nonceHash } : null;
}

/** The hash of the voter's nonce, by which only the voter recognises the ballot. */
export async function nonceHashOf(proposal: string, nonce: string): Promise<string> {
  const prefix = utf8(`jara/v1/nonce\0${proposal}\0`);
  return toHex(await sha256(join(prefix, fromHex(nonce))));
}

/** The short name of a ballot, such as `RSTY-2YNO-CRFS`. */
export function trackerOf(leaf: Bytes): string {
  const letters = toBase32(leaf, 12);
  return `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`;
}
