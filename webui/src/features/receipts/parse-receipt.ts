import type { Receipt } from "@/api/schema";
import { readReceipt } from "@/lib/models/receipt";
import { MalformedBytes, fromHex } from "./bytes";

const HASH_BYTES = 32;
const NONCE_BYTES = 16;
const TRACKER = /^[A-Z2-7]{4}-[A-Z2-7]{4}-[A-Z2-7]{4}$/;

/** Parses a receipt; null if it is not JSON or a field is missing or malformed. */
export function parseReceipt(text: string): Receipt | null {
  try {
    const receipt = readReceipt(JSON.parse(text));
    return receipt !== null && isWellFormed(receipt) ? receipt : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof MalformedBytes) return null;
    throw error;
  }
}

function isWellFormed(receipt: Receipt): boolean {
  const hashes = [receipt.leaf, receipt.root, ...receipt.proof];
  return (
    hashes.every((hash) => fromHex(hash).length === HASH_BYTES) &&
    fromHex(receipt.nonce).length === NONCE_BYTES &&
    TRACKER.test(receipt.tracker) &&
    [receipt.index, receipt.size].every((count) => Number.isSafeInteger(count) && count >= 0)
  );
}
