import { list, number, object, text } from "@/lib/api/decode";

/** What a voter keeps of a ballot: its leaf, and the proof that it is in the public log. */
export type Receipt = {
  /** The leaf hash, in hex. */
  readonly leaf: string;
  /** The canonical JSON that was hashed. */
  readonly leafBytes: string;
  readonly index: number;
  readonly size: number;
  readonly root: string;
  readonly proof: readonly string[];
  /** A signed note of exactly this size. */
  readonly checkpoint: string;
  readonly nonce: string;
  readonly tracker: string;
};

export const receiptDecoder = object<Receipt>({
  leaf: text,
  leafBytes: text,
  index: number,
  size: number,
  root: text,
  proof: list(text),
  checkpoint: text,
  nonce: text,
  tracker: text,
});
