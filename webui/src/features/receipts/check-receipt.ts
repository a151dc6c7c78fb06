import { isPromise, type AnyReceipt, type ListedReceipt } from "@/lib/models/receipt";
import { nonceHashOf, readBallotLeaf, trackerOf } from "./ballot";
import { fromHex, toHex, utf8 } from "./bytes";
import { checkPromise, type PromiseCheckName } from "./check-promise";
import type { Fate } from "./fate";
import { isIncluded, leafHash } from "./merkle";
import { parseCheckpoint } from "./note";
import { reached, said, type Outcome } from "./outcome";
import { consistency, isOfState, signature, today, type Log } from "./signed-log";
import type * as schema from "@/api/schema";

const OWN_CHECKS = ["bytes", "leaf", "nonce", "tracker"] as const;
const LISTED_CHECKS = [
  "inclusion",
  "checkpoint",
  "signature",
  "today",
  "consistency",
  "cosigned",
] as const;

export type CheckName =
  | (typeof OWN_CHECKS)[number]
  | (typeof LISTED_CHECKS)[number]
  | PromiseCheckName;
export type Checked = { readonly name: CheckName; readonly outcome: Outcome };

/** Every step of a check, and what became of a promised ballot. */
export type ReceiptCheck = {
  readonly checks: readonly Checked[];
  /** Null for a receipt of an earlier version, or if nothing proves what became of the ballot. */
  readonly fate: Fate | null;
};

/** Checks a receipt in the browser, step by step. */
export async function checkReceipt(receipt: AnyReceipt, log: Log, now: Date): Promise<ReceiptCheck> {
  const head = await reached(log.head());
  const own = await checkBallot(receipt);
  if (isPromise(receipt)) {
    const { checks, fate } = await checkPromise(receipt, head, log, now);
    return { checks: [...own, ...checks], fate };
  }
  return { checks: [...own, ...(await checkListed(receipt, head, log))], fate: null };
}

/** Whether no check failed. */
export function isGood(checks: readonly Checked[]): boolean {
  return checks.every(({ outcome }) => outcome !== "failed");
}

/** Checks what a receipt says by itself: its ballot is the voter's. */
function checkBallot(receipt: AnyReceipt): Promise<Checked[]> {
  const ballot = readBallotLeaf(receipt.leafBytes);
  const outcomes: Record<(typeof OWN_CHECKS)[number], Promise<Outcome>> = {
    bytes: said(() => ballot !== null),
    leaf: said(async () => toHex(await leafHash(utf8(receipt.leafBytes))) === receipt.leaf),
    nonce: said(
      async () =>
        ballot !== null &&
        (await nonceHashOf(ballot.proposal, receipt.nonce)) === ballot.nonceHash,
    ),
    tracker: said(() => trackerOf(fromHex(receipt.leaf)) === receipt.tracker),
  };
  return Promise.all(OWN_CHECKS.map(async (name) => ({ name, outcome: await outcomes[name] })));
}

/** Checks that the log listed the ballot of an earlier version's receipt. */
async function checkListed(
  receipt: ListedReceipt,
  head: schema.Checkpoint | null,
  log: Log,
): Promise<Checked[]> {
  const outcomes: Record<(typeof LISTED_CHECKS)[number], Promise<Outcome> | null> = {
    inclusion: said(() => isReceiptIncluded(receipt)),
    checkpoint: said(() => isOfState(parseCheckpoint(receipt.checkpoint), receipt)),
    signature: signature(receipt.checkpoint, head),
    today: today(head),
    consistency: consistency(receipt, head, log),
    cosigned: receipt.cosigned ? cosigned(receipt.cosigned, head, log) : null,
  };
  const checks = await Promise.all(
    LISTED_CHECKS.map(async (name) => ({ name, outcome: await outcomes[name] })),
  );
  return checks.flatMap(({ name, outcome }) => (outcome === null ? [] : [{ name, outcome }]));
}

function isReceiptIncluded(receipt: ListedReceipt): Promise<boolean> {
  return isIncluded({
    leaf: fromHex(receipt.leaf),
    index: receipt.index,
    size: receipt.size,
    proof: receipt.proof.map(fromHex),
    root: fromHex(receipt.root),
  });
}

/** Whether today's log continues what witnesses had seen before the vote. */
async function cosigned(note: string, head: schema.Checkpoint | null, log: Log): Promise<Outcome> {
  const signed = await signature(note, head);
  if (signed !== "ok") return signed;
  const { size, root } = parseCheckpoint(note);
  return consistency({ size, root: toHex(root) }, head, log);
}
