import type { Receipt } from "@/api/schema";

const TEXTS = [
  "leaf",
  "leafBytes",
  "proposal",
  "listedBy",
  "key",
  "signature",
  "nonce",
  "tracker",
] as const satisfies readonly (keyof Receipt)[];

/** The receipt in a file or in this browser's storage, which anything may have written; else null. */
export function readReceipt(value: unknown): Receipt | null {
  if (typeof value !== "object" || value === null) return null;
  const fields = value as Readonly<Record<string, unknown>>;
  return TEXTS.every((name) => typeof fields[name] === "string") ? (value as Receipt) : null;
}
