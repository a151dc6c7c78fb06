import { isSame, join, sha256, type Bytes } from "./bytes";

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** The hash of a leaf's bytes (RFC 6962 §2.1). */
export function leafHash(bytes: Bytes): Promise<Bytes> {
  return sha256(join(LEAF, bytes));
}

/** The hash of an inner node (RFC 6962 §2.1). */
export function nodeHash(left: Bytes, right: Bytes): Promise<Bytes> {
  return sha256(join(NODE, left, right));
}

/** Verifies an inclusion proof (RFC 9162 §2.1.3.2). */
export async function isIncluded(given: {
  readonly leaf: Bytes;
  readonly index: number;
  readonly size: number;
  readonly proof: readonly Bytes[];
  readonly root: Bytes;
}): Promise<boolean> {
  const { leaf, index, size, proof, root } = given;
  if (!isCount(index) || !isCount(size) || index >= size) return false;
  const path = new Path(index, size - 1);
  let top = leaf;
  for (const sibling of proof) {
    if (path.last === 0) return false;
    const goesLeft = path.siblingIsLeft();
    // Each hash depends on the one before.
    // oxlint-disable-next-line no-await-in-loop
    top = goesLeft ? await nodeHash(sibling, top) : await nodeHash(top, sibling);
    path.rise(goesLeft);
  }
  return path.last === 0 && isSame(top, root);
}

/** Verifies a consistency proof (RFC 9162 §2.1.4.2). */
export async function isConsistent(given: {
  readonly first: number;
  readonly second: number;
  readonly firstRoot: Bytes;
  readonly secondRoot: Bytes;
  readonly proof: readonly Bytes[];
}): Promise<boolean> {
  const { first, second, firstRoot, secondRoot, proof } = given;
  if (!isCount(first) || !isCount(second) || first === 0 || first > second) return false;
  if (first === second) return proof.length === 0 && isSame(firstRoot, secondRoot);
  const [start, ...rest] = isPowerOfTwo(first) ? [firstRoot, ...proof] : proof;
  if (proof.length === 0 || start === undefined) return false;
  const path = new Path(first - 1, second - 1);
  path.riseWhileOdd();
  let [old, now] = [start, start];
  for (const sibling of rest) {
    if (path.last === 0) return false;
    const goesLeft = path.siblingIsLeft();
    if (goesLeft) {
      // oxlint-disable-next-line no-await-in-loop
      [old, now] = await Promise.all([nodeHash(sibling, old), nodeHash(sibling, now)]);
    } else {
      // oxlint-disable-next-line no-await-in-loop
      now = await nodeHash(now, sibling);
    }
    path.rise(goesLeft);
  }
  return path.last === 0 && isSame(old, firstRoot) && isSame(now, secondRoot);
}

// Position in a proof: a node, and the last node of its level. Sizes may exceed 2^31, so no bit
// operations.
class Path {
  #node: number;
  last: number;

  constructor(node: number, last: number) {
    this.#node = node;
    this.last = last;
  }

  siblingIsLeft(): boolean {
    return this.#node % 2 === 1 || this.#node === this.last;
  }

  rise(cameFromLeft: boolean): void {
    if (cameFromLeft) while (this.#node !== 0 && this.#node % 2 === 0) this.#up();
    this.#up();
  }

  riseWhileOdd(): void {
    while (this.#node % 2 === 1) this.#up();
  }

  #up(): void {
    this.#node = Math.floor(this.#node / 2);
    this.last = Math.floor(this.last / 2);
  }
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isPowerOfTwo(value: number): boolean {
  return Number.isInteger(Math.log2(value)) && 2 ** Math.log2(value) === value;
}
