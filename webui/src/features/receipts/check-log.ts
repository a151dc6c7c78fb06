import { readCanonical } from "./canonical";
import { MalformedBytes, fromHex, toHex, utf8, type Bytes } from "./bytes";
import { leafHash, nodeHash } from "./merkle";

/** The claimed root of the log at a size. */
export type LogState = { readonly size: number; readonly root: string };

/** Whether the leaves match every state; else the first leaf that can be wrong. */
export type LogCheck = { readonly holds: boolean; readonly firstBad: number | null };

/**
 * Hashes every leaf of the log and compares the roots with the states, smallest first.
 *
 * @param lines the leaves from the log: canonical JSON, or the hash of a leaf that the
 *   reader may not see.
 */
export async function checkLog(lines: string, states: readonly LogState[]): Promise<LogCheck> {
  const leaves = await Promise.all(lines.split("\n").slice(0, -1).map(hashOf));
  const malformed = leaves.indexOf(null);
  if (malformed !== -1) return { holds: false, firstBad: malformed };
  const hashes = leaves.filter((leaf) => leaf !== null);
  let known = 0;
  for (const { size, root } of states.toSorted((one, other) => one.size - other.size)) {
    if (size > hashes.length) return { holds: false, firstBad: hashes.length };
    // Sequential, to report the first mismatch.
    // oxlint-disable-next-line no-await-in-loop
    if (toHex(await rootOf(hashes.slice(0, size))) !== root) return { holds: false, firstBad: known };
    known = size;
  }
  const isWhole = hashes.length === known;
  return { holds: isWhole, firstBad: isWhole ? null : known };
}

async function hashOf(line: string): Promise<Bytes | null> {
  const leaf = readCanonical(line);
  if (leaf === null) return null;
  const { leaf: withheld, ...others } = leaf;
  if (typeof withheld !== "string" || Object.keys(others).length > 0) return leafHash(utf8(line));
  try {
    return withheld.length === 64 ? fromHex(withheld) : null;
  } catch (error) {
    if (error instanceof MalformedBytes) return null;
    throw error;
  }
}

/** The root of the tree of these leaves (RFC 6962 §2.1), level by level. */
async function rootOf(leaves: readonly Bytes[]): Promise<Bytes> {
  let level = leaves;
  while (level.length > 1) {
    const pairs = Array.from({ length: Math.ceil(level.length / 2) }, (_, at) =>
      level.slice(2 * at, 2 * at + 2),
    );
    // Each level depends on the one below.
    // oxlint-disable-next-line no-await-in-loop
    level = await Promise.all(pairs.map(parentOf));
  }
  return level[0] ?? fromHex(EMPTY);
}

async function parentOf(pair: readonly Bytes[]): Promise<Bytes> {
  const [left, right] = pair;
  if (left === undefined) throw new RangeError("a level without nodes has no parents");
  return right === undefined ? left : nodeHash(left, right);
}

const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
