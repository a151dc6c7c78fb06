import type { Receipt } from "@/api/schema";
import { readReceipt } from "@/lib/models/receipt";
import { MalformedBytes, fromHex } from "./bytes";

const HASH_BYTES = 32;
const NONCE_BYTES = 16;
const SIGNATURE_BYTES = 64;
const TRACKER = /^[A-Z2-7]{4}-[A-Z2-7]{4}-[A-Z2-7]{4}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

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
  return (
    [receipt.leaf, receipt.key].every((hash) => fromHex(hash).length === HASH_BYTES) &&
    fromHex(receipt.nonce).length === NONCE_BYTES &&
    fromHex(receipt.signature).length === SIGNATURE_BYTES &&
    TRACKER.test(receipt.tracker) &&
    isInstant(receipt.listedBy)
  );
}

function isInstant(text: string): boolean {
  return INSTANT.test(text) && !Number.isNaN(Date.parse(text));
}
