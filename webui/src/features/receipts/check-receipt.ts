import type * as schema from "@/api/schema";
import { nonceHashOf, readBallotLeaf, trackerOf } from "./ballot";
import { MalformedBytes, fromHex, toHex, utf8 } from "./bytes";
import { isConsistent, isIncluded, leafHash } from "./merkle";
import {
  MalformedNote,
  isSignedBy,
  parseCheckpoint,
  parseVerificationKey,
  type Checkpoint,
} from "./note";

/** The checks, in order; the last is for receipts that have a cosigned checkpoint. */
export const CHECKS = [
  "bytes",
  "leaf",
  "nonce",
  "tracker",
  "inclusion",
  "checkpoint",
  "signature",
  "today",
  "consistency",
  "cosigned",
] as const;
export type CheckName = (typeof CHECKS)[number];

/** "unsupported": the browser lacks Ed25519; "unreached": the log did not answer. */
export type Outcome = "ok" | "failed" | "unsupported" | "unreached";
export type Checked = { readonly name: CheckName; readonly outcome: Outcome };

/** Access to the log: the server, or a fake in tests. */
export type Log = {
  readonly head: () => Promise<schema.Checkpoint>;
  readonly consistency: (from: number, to: number) => Promise<Pick<schema.Proof, "proof">>;
};

/** Checks a receipt in the browser, step by step. */
export async function checkReceipt(receipt: schema.Receipt, log: Log): Promise<Checked[]> {
  const head = await reached(log.head());
  const ballot = readBallotLeaf(receipt.leafBytes);
  const outcomes: Record<CheckName, Promise<Outcome> | null> = {
    bytes: said(() => ballot !== null),
    leaf: said(async () => toHex(await leafHash(utf8(receipt.leafBytes))) === receipt.leaf),
    nonce: said(
      async () =>
        ballot !== null &&
        (await nonceHashOf(ballot.proposal, receipt.nonce)) === ballot.nonceHash,
    ),
    tracker: said(() => trackerOf(fromHex(receipt.leaf)) === receipt.tracker),
    inclusion: said(() => isReceiptIncluded(receipt)),
    checkpoint: said(() => isOfState(parseCheckpoint(receipt.checkpoint), receipt)),
    signature: signature(receipt.checkpoint, head),
    today: today(head),
    consistency: consistency(receipt, head, log),
    cosigned: receipt.cosigned ? cosigned(receipt.cosigned, head, log) : null,
  };
  const checks = await Promise.all(
    CHECKS.map(async (name) => ({ name, outcome: await outcomes[name] })),
  );
  return checks.flatMap(({ name, outcome }) => (outcome === null ? [] : [{ name, outcome }]));
}

/** Whether no check failed. */
export function isGood(checks: readonly Checked[]): boolean {
  return checks.every(({ outcome }) => outcome !== "failed");
}

function isReceiptIncluded(receipt: schema.Receipt): Promise<boolean> {
  return isIncluded({
    leaf: fromHex(receipt.leaf),
    index: receipt.index,
    size: receipt.size,
    proof: receipt.proof.map(fromHex),
    root: fromHex(receipt.root),
  });
}

function isOfState(
  checkpoint: Checkpoint,
  state: State,
): boolean {
  return checkpoint.size === state.size && toHex(checkpoint.root) === state.root;
}

/** Whether the key in force at a checkpoint's size signed it, or a later one. */
async function signature(note: string, head: schema.Checkpoint | null): Promise<Outcome> {
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

async function today(head: schema.Checkpoint | null): Promise<Outcome> {
  if (head === null) return "unreached";
  const isItsState = await said(() => isOfState(parseCheckpoint(head.checkpoint), head));
  return isItsState === "ok" ? signature(head.checkpoint, head) : isItsState;
}

/** Whether today's log continues what witnesses had seen before the vote. */
async function cosigned(note: string, head: schema.Checkpoint | null, log: Log): Promise<Outcome> {
  const signed = await signature(note, head);
  if (signed !== "ok") return signed;
  const { size, root } = parseCheckpoint(note);
  return consistency({ size, root: toHex(root) }, head, log);
}

type State = { readonly size: number; readonly root: string };

async function consistency(receipt: State, head: schema.Checkpoint | null, log: Log): Promise<Outcome> {
  if (head === null) return "unreached";
  if (head.size < receipt.size) return "failed";
  const answer = await reached(log.consistency(receipt.size, head.size));
  if (answer === null) return "unreached";
  return said(() =>
    isConsistent({
      first: receipt.size,
      second: head.size,
      firstRoot: fromHex(receipt.root),
      secondRoot: fromHex(head.root),
      proof: answer.proof.map(fromHex),
    }),
  );
}

async function reached<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch {
    return null;
  }
}

type Answer = boolean | "unsupported";

async function said(check: () => Answer | Promise<Answer>): Promise<Outcome> {
  try {
    const answer = await check();
    if (answer === "unsupported") return answer;
    return answer ? "ok" : "failed";
  } catch (error) {
    // Malformed bytes prove nothing.
    if (error instanceof MalformedBytes || error instanceof MalformedNote) return "failed";
    throw error;
  }
}
