import { describe, expect, test } from "vitest";
import vectors from "@/testing/receipt-vectors.json";
import { fromHex, sha256, toHex, utf8, type Bytes } from "./bytes";
import { isConsistent, isIncluded, leafHash, nodeHash } from "./merkle";

// The leaves of the Certificate Transparency test suite.
const CT_LEAVES = [
  "",
  "00",
  "10",
  "2021",
  "3031",
  "40414243",
  "5051525354555657",
  "606162636465666768696a6b6c6d6e6f",
];
const CT_ROOT = "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328";

/** Independent recursive definitions of RFC 9162 §2.1. */
async function rootOf(leaves: readonly Bytes[]): Promise<Bytes> {
  const [only] = leaves;
  if (only === undefined) return sha256(new Uint8Array());
  if (leaves.length === 1) return only;
  const half = splitOf(leaves.length);
  return nodeHash(await rootOf(leaves.slice(0, half)), await rootOf(leaves.slice(half)));
}

async function inclusionPath(index: number, leaves: readonly Bytes[]): Promise<Bytes[]> {
  if (leaves.length === 1) return [];
  const half = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, half), leaves.slice(half)];
  return index < half
    ? [...(await inclusionPath(index, left)), await rootOf(right)]
    : [...(await inclusionPath(index - half, right)), await rootOf(left)];
}

async function consistencyPath(
  first: number,
  leaves: readonly Bytes[],
  isWhole = true,
): Promise<Bytes[]> {
  if (first === leaves.length) return isWhole ? [] : [await rootOf(leaves)];
  const half = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, half), leaves.slice(half)];
  return first <= half
    ? [...(await consistencyPath(first, left, isWhole)), await rootOf(right)]
    : [...(await consistencyPath(first - half, right, false)), await rootOf(left)];
}

function splitOf(size: number): number {
  let half = 1;
  while (half * 2 < size) half *= 2;
  return half;
}

function someLeaves(count: number): Promise<Bytes[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => leafHash(utf8(String(index)))));
}

describe("the Merkle tree", () => {
  test("the eight leaves of the Certificate Transparency suite have their published root", async () => {
    const leaves = await Promise.all(CT_LEAVES.map((leaf) => leafHash(fromHex(leaf))));
    const root = fromHex(CT_ROOT);

    expect(toHex(await rootOf(leaves))).toBe(CT_ROOT);
    for (const [index, leaf] of leaves.entries()) {
      const proof = await inclusionPath(index, leaves);
      expect(await isIncluded({ leaf, index, size: 8, proof, root })).toBe(true);
    }
  });

  test("genesis and ballot hash to the published leaves and root", async () => {
    const leaves = await Promise.all(
      [vectors.genesis, vectors.receipt.leafBytes].map((text) => leafHash(utf8(text))),
    );

    expect(leaves.map(toHex)).toEqual([
      "50fc19b4e25f9056c3c950f11cfde013fb6cc77d2dc3af13a7d98d4cf456d493",
      "8ca78d61ae144b2b5d6b57cd96a3c285d85d7a9d1720598f0afe3c5cb9ef092c",
    ]);
    expect(toHex(await rootOf(leaves))).toBe(
      "1dc596ae97501a97f7dda02da5562910a98c980a690788e714fa1ea019e8ceab",
    );
  });

  test("inclusion proofs hold for the right index only, for logs up to 17 leaves", async () => {
    const all = await someLeaves(17);
    for (let size = 1; size <= all.length; size += 1) {
      const leaves = all.slice(0, size);
      const root = await rootOf(leaves);
      for (const [index, leaf] of leaves.entries()) {
        const proof = await inclusionPath(index, leaves);
        expect(await isIncluded({ leaf, index, size, proof, root })).toBe(true);
        for (const wrong of [index + 1, index - 1, size, -1]) {
          expect(await isIncluded({ leaf, index: wrong, size, proof, root })).toBe(false);
        }
        const extra = [...proof, root];
        expect(await isIncluded({ leaf, index, size, proof: extra, root })).toBe(false);
      }
    }
  });

  test("consistency proofs hold for prefixes only, for logs up to 17 leaves", async () => {
    const all = await someLeaves(17);
    const [other] = await someLeaves(1);
    for (let second = 1; second <= all.length; second += 1) {
      const leaves = all.slice(0, second);
      const secondRoot = await rootOf(leaves);
      for (let first = 1; first <= second; first += 1) {
        const firstRoot = await rootOf(leaves.slice(0, first));
        const proof = await consistencyPath(first, leaves);
        const given = { first, second, firstRoot, secondRoot, proof };
        expect(await isConsistent(given)).toBe(true);
        const wrongRoot = await leafHash(firstRoot);
        expect(await isConsistent({ ...given, firstRoot: wrongRoot })).toBe(false);
        expect(await isConsistent({ ...given, secondRoot: wrongRoot })).toBe(false);
        expect(await isConsistent({ ...given, proof: [...proof, other ?? wrongRoot] })).toBe(false);
        if (proof.length > 0) {
          expect(await isConsistent({ ...given, proof: proof.slice(1) })).toBe(false);
        }
      }
    }
  });

  test("an empty or longer log is not a prefix", async () => {
    const [root] = await someLeaves(1);
    const firstRoot = root ?? new Uint8Array();
    const given = { firstRoot, secondRoot: firstRoot, proof: [] };

    expect(await isConsistent({ ...given, first: 0, second: 1 })).toBe(false);
    expect(await isConsistent({ ...given, first: 2, second: 1 })).toBe(false);
    expect(await isConsistent({ ...given, first: 1.5, second: 2 })).toBe(false);
  });
});
