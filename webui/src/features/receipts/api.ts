import { apiGet } from "@/lib/api/api-client";
import { list, number, object, text } from "@/lib/api/decode";

/** The log's signed head now, and the key that signs it. */
export type LogHead = {
  readonly size: number;
  readonly root: string;
  readonly checkpoint: string;
  readonly key: string;
};

export type ConsistencyProof = {
  readonly first: number;
  readonly size: number;
  readonly proof: readonly string[];
};

const logHead = object<LogHead>({ size: number, root: text, checkpoint: text, key: text });
const consistencyProof = object<ConsistencyProof>({
  first: number,
  size: number,
  proof: list(text),
});

export function readLogHead(): Promise<LogHead> {
  return apiGet("/proofs/checkpoint", logHead);
}

export function readConsistency(from: number, to: number): Promise<ConsistencyProof> {
  return apiGet(`/proofs/consistency?from=${from}&to=${to}`, consistencyProof);
}
