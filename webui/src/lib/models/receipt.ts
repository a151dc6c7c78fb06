import type { Receipt } from "@/api/schema";

/** The receipt of an earlier version: a proof that the log listed the ballot at once. */
export type ListedReceipt = {
  readonly leaf: string;
  readonly leafBytes: string;
  readonly index: number;
  readonly size: number;
  readonly root: string;
  readonly proof: readonly string[];
  readonly checkpoint: string;
  readonly nonce: string;
  readonly tracker: string;
  readonly cosigned?: string | null;
};

/** A receipt in a file or in this browser: a signed promise, or an older proof. */
export type AnyReceipt = Receipt | ListedReceipt;

const PROMISE_TEXTS = [
  "leaf",
  "leafBytes",
  "proposal",
  "listedBy",
  "key",
  "signature",
  "nonce",
  "tracker",
] as const satisfies readonly (keyof Receipt)[];
const LISTED_TEXTS = ["leaf", "leafBytes", "root", "checkpoint", "nonce", "tracker"] as const;

/** Whether a receipt promises to list the ballot. */
export function isPromise(receipt: AnyReceipt): receipt is Receipt {
  return "listedBy" in receipt;
}

/** The receipt in a file or in this browser's storage, which anything may have written; else null. */
export function readReceipt(value: unknown): AnyReceipt | null {
  if (typeof value !== "object" || value === null) return null;
  const fields = value as Readonly<Record<string, unknown>>;
  if ("listedBy" in fields) return hasTexts(fields, PROMISE_TEXTS) ? (value as Receipt) : null;
  const { index, size, proof, cosigned } = fields;
  const isListed =
    hasTexts(fields, LISTED_TEXTS) &&
    Number.isFinite(index) &&
    Number.isFinite(size) &&
    Array.isArray(proof) &&
    proof.every((hash) => typeof hash === "string") &&
    (cosigned === undefined || cosigned === null || typeof cosigned === "string");
  return isListed ? (value as ListedReceipt) : null;
}

function hasTexts(fields: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return names.every((name) => typeof fields[name] === "string");
}
