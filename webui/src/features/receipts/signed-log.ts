import type * as schema from "@/api/schema";
import { fromHex, toHex } from "./bytes";
import { isConsistent } from "./merkle";
import { isSignedBy, parseCheckpoint, parseVerificationKey, type Checkpoint } from "./note";
import { reached, said, type Outcome } from "./outcome";

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

/** Whether the key in force at a checkpoint's size signed it, or a later one. */
export async function signature(note: string, head: schema.Checkpoint | null): Promise<Outcome> {
  if (head === null) return "unreached";
  return said(async () => {
    const checkpoint = parseCheckpoint(note);
    const earlier = head.earlierKeys.filter(({ upTo }) => checkpoint.size <= upTo);
    const texts = [head.key, ...earlier.map(({ key }) => key)];
    const keys = await Promise.all(texts.map(parseVerificationKey));
    const own = keys.filter(({ name }) => name === checkpoint.origin);
    const answers = await Promise.all(own.map((key) => isSignedBy(checkpoint, key)));
    return answers.find((answer) => answer !== false) ?? false;
  });
}

/** Whether today's log is signed. */
export async function today(head: schema.Checkpoint | null): Promise<Outcome> {
  if (head === null) return "unreached";
  const isItsState = await said(() => isOfState(parseCheckpoint(head.checkpoint), head));
  return isItsState === "ok" ? signature(head.checkpoint, head) : isItsState;
}

/** Whether today's log starts with the log of a state. */
export async function consistency(
  state: State,
  head: schema.Checkpoint | null,
  log: SignedLog,
): Promise<Outcome> {
  if (head === null) return "unreached";
  if (head.size < state.size) return "failed";
  const answer = await reached(log.consistency(state.size, head.size));
  if (answer === null) return "unreached";
  return said(() =>
    isConsistent({
      first: state.size,
      second: head.size,
      firstRoot: fromHex(state.root),
      secondRoot: fromHex(head.root),
      proof: answer.proof.map(fromHex),
    }),
  );
}

/** Whether a checkpoint signs this state. */
export function isOfState(checkpoint: Checkpoint, state: State): boolean {
  return checkpoint.size === state.size && toHex(checkpoint.root) === state.root;
}
