import type { Receipt } from "@/api/schema";

const TEXTS = ["leaf", "leafBytes", "root", "checkpoint", "nonce", "tracker"] as const;

/** The receipt in a file or in this browser's storage, which anything may have written; else null. */
export function readReceipt(value: unknown): Receipt | null {
  if (typeof value !== "object" || value === null) return null;
  const receipt = value as Readonly<Record<keyof Receipt, unknown>>;
  const { index, size, proof, cosigned } = receipt;
  const isReceipt =
    TEXTS.every((name) => typeof receipt[name] === "string") &&
    Number.isFinite(index) &&
    Number.isFinite(size) &&
    Array.isArray(proof) &&
    proof.every((hash) => typeof hash === "string") &&
    (cosigned === undefined || cosigned === null || typeof cosigned === "string");
  return isReceipt ? (receipt as Receipt) : null;
}
