import { list, number, object, optional, text, type Infer } from "@/lib/api/decode";

/** A voter's receipt: the ballot's leaf, and the proof that it is in the public log. */
export const receiptDecoder = object({
  /** Hash of the leaf, in hex. */
  leaf: text,
  /** The canonical JSON that was hashed. */
  leafBytes: text,
  index: number,
  size: number,
  root: text,
  proof: list(text),
  /** A signed note of exactly this size. */
  checkpoint: text,
  /** The newest checkpoint that witnesses had cosigned when the vote was cast. */
  cosigned: optional(text),
  nonce: text,
  tracker: text,
});

export type Receipt = Infer<typeof receiptDecoder>;
