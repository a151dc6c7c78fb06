import type * as schema from "@/api/schema";
import { toHex } from "./bytes";
import { isSignedBy, parseCheckpoint, parseVerificationKey, type Checkpoint } from "./note";
import { said, type Outcome } from "./outcome";

/** Access to the signed states of the log: the server, or a fake in tests. */
export type SignedLog = {
  readonly head: () => Promise<schema.Checkpoint>;
  readonly consistency: (from: number, to: number) => Promise<Pick<schema.Proof, "proof">>;
};

/** Access to the log and to what it says about a ballot. */
export type Log = SignedLog & {
  readonly ballot: (asked: BallotQuestion) => Promise<schema.BallotProof>;
};

/** Which ballot the log is asked about, at which size of the log. */
export type BallotQuestion = {
  readonly proposal: string;
  readonly voter: string;
  readonly key: string;
  readonly size: number;
};

/** The claimed root of the log at a size. */
export type State = { readonly size: number; readonly root: string };

/** Whether today's log is signed. */
export async function today(head: schema.Checkpoint | null): Promise<Outcome> {
  if (head === null) return "unreached";
  return said(async () => {
    const checkpoint = parseCheckpoint(head.checkpoint);
    const key = await parseVerificationKey(head.key);
    const isItsState = isOfState(checkpoint, head) && key.name === checkpoint.origin;
    return isItsState && isSignedBy(checkpoint, key);
  });
}

/** Whether a checkpoint signs this state. */
function isOfState(checkpoint: Checkpoint, state: State): boolean {
  return checkpoint.size === state.size && toHex(checkpoint.root) === state.root;
}
