import type { Receipt } from "@/api/schema";
import { nonceHashOf, readBallotLeaf, trackerOf } from "./ballot";
import { fromHex, toHex, utf8 } from "./bytes";
import { checkPromise, type PromiseCheckName } from "./check-promise";
import type { Fate } from "./fate";
import { leafHash } from "./merkle";
import { reached, said, type Outcome } from "./outcome";
import type { Log } from "./signed-log";

const OWN_CHECKS = ["bytes", "leaf", "nonce", "tracker"] as const;

export type CheckName = (typeof OWN_CHECKS)[number] | PromiseCheckName;
export type Checked = { readonly name: CheckName; readonly outcome: Outcome };

/** Every step of a check, and what became of the ballot; null if nothing proves it. */
export type ReceiptCheck = { readonly checks: readonly Checked[]; readonly fate: Fate | null };

/** Checks a receipt in the browser, step by step. */
export async function checkReceipt(receipt: Receipt, log: Log, now: Date): Promise<ReceiptCheck> {
  const head = await reached(log.head());
  const own = await checkBallot(receipt);
  const { checks, fate } = await checkPromise(receipt, head, log, now);
  return { checks: [...own, ...checks], fate };
}

/** Whether no check failed. */
export function isGood(checks: readonly Checked[]): boolean {
  return checks.every(({ outcome }) => outcome !== "failed");
}

/** Checks what a receipt says by itself: its ballot is the voter's. */
function checkBallot(receipt: Receipt): Promise<Checked[]> {
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
