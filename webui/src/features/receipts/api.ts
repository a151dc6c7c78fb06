import { apiGet } from "@/lib/api/api-client";
import { list, mapped, number, object, optional, text, withDefault, type Infer } from "@/lib/api/decode";

/**
 * The current signed head of the log, the key that signs it, and the newest checkpoint that
 * witnesses cosigned.
 */
const logHead = object({
  size: number,
  root: text,
  checkpoint: text,
  key: text,
  /** The keys before it, oldest first, each with the largest size that it may sign. */
  earlierKeys: withDefault(list(object({ key: text, upTo: number })), []),
  cosigned: optional(text),
});
const consistencyProof = object({ first: number, size: number, proof: list(text) });

/** What the proposals are called, by their ids. */
export const proposalTitles = {
  path: "/user/get-proposals#titles",
  decode: mapped(
    list(object({ id: text, title: text })),
    (all) => new Map(all.map(({ id, title }) => [id, title])),
  ),
};

export type LogHead = Infer<typeof logHead>;
export type ConsistencyProof = Infer<typeof consistencyProof>;

export function readLogHead(): Promise<LogHead> {
  return apiGet("/proofs/checkpoint", logHead);
}

export function readConsistency(from: number, to: number): Promise<ConsistencyProof> {
  return apiGet(`/proofs/consistency?from=${from}&to=${to}`, consistencyProof);
}
