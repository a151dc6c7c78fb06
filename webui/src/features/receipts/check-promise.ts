import type { BallotProof, Checkpoint, LeafProof, Receipt } from "@/api/schema";
import { readBallotLeaf } from "./ballot";
import { fromHex, utf8 } from "./bytes";
import { canonicalJson } from "./canonical";
import { fateOf, latestListing, readEnding, readPromiseKey, type Fate } from "./fate";
import { isIncluded, leafHash } from "./merkle";
import { isSignature } from "./note";
import { reached, said, type Outcome } from "./outcome";
import { today, type Log, type State } from "./signed-log";

const CHECKS = ["promise", "today", "key", "time", "listing"] as const;
export type PromiseCheckName = (typeof CHECKS)[number];

type PromiseCheck = {
  readonly checks: readonly { readonly name: PromiseCheckName; readonly outcome: Outcome }[];
  readonly fate: Fate | null;
};

/** Checks who promised to list a ballot, and what became of it in today's log. */
export async function checkPromise(
  receipt: Receipt,
  head: Checkpoint | null,
  log: Log,
  now: Date,
): Promise<PromiseCheck> {
  const { proposal, key } = receipt;
  const voter = readBallotLeaf(receipt.leafBytes)?.voter ?? "";
  const question = { proposal, voter, key, size: head?.size ?? 0 };
  const answer = head === null ? null : await reached(log.ballot(question));
  const asked = answer === null || head === null ? null : { answer, head };
  const fate = asked === null ? null : await provenFate(receipt, asked.answer, asked.head, now);
  const outcomes: Record<PromiseCheckName, Promise<Outcome>> = {
    promise: said(() => isSigned(receipt)),
    today: today(head),
    key: inAnswer(asked, (state) => {
      const leaf = answer?.key ?? null;
      return readPromiseKey(leaf?.leaf ?? "") === key && isProven(leaf, state);
    }),
    time: inAnswer(asked, (state) => {
      const leaf = answer?.opening ?? null;
      const latest = latestListing(leaf?.leaf ?? "", proposal);
      const isInTime = latest !== null && new Date(receipt.listedBy) <= latest;
      return isInTime && isProven(leaf, state);
    }),
    listing: inAnswer(asked, () => fate !== null && fate !== "missing"),
  };
  const checks = await Promise.all(
    CHECKS.map(async (name) => ({ name, outcome: await outcomes[name] })),
  );
  return { checks, fate };
}

type Asked = { readonly answer: BallotProof; readonly head: Checkpoint };

async function inAnswer(
  asked: Asked | null,
  check: (state: State) => boolean | Promise<boolean>,
): Promise<Outcome> {
  return asked === null ? "unreached" : said(() => check(asked.head));
}

/** What became of the ballot; null if the answer does not prove it. */
async function provenFate(
  receipt: Receipt,
  { ballot, ending }: BallotProof,
  state: State,
  now: Date,
): Promise<Fate | null> {
  if (ending === null) return fateOf(receipt, { ending: null, isListed: false }, now);
  const end = readEnding(ending.leaf);
  if (end?.proposal !== receipt.proposal || !(await isProven(ending, state))) return null;
  const isListed =
    ballot?.leaf === receipt.leafBytes &&
    ballot.index < ending.index &&
    (await isProven(ballot, state));
  return fateOf(receipt, { ending: end, isListed }, now);
}

/** Whether a leaf is in the log of a state. */
async function isProven(leaf: LeafProof | null, { size, root }: State): Promise<boolean> {
  if (leaf === null) return false;
  const outcome = await said(async () =>
    isIncluded({
      leaf: await leafHash(utf8(leaf.leaf)),
      index: leaf.index,
      size,
      proof: leaf.proof.map(fromHex),
      root: fromHex(root),
    }),
  );
  return outcome === "ok";
}

/** Whether the receipt's key signed the promise about its ballot. */
async function isSigned(receipt: Receipt): Promise<boolean | "unsupported"> {
  const promise = canonicalJson({
    leaf: receipt.leaf,
    listed_by: receipt.listedBy,
    proposal: receipt.proposal,
    t: "jara/v1/promise",
  });
  if (promise === null || readBallotLeaf(receipt.leafBytes)?.proposal !== receipt.proposal) {
    return false;
  }
  return isSignature(fromHex(receipt.signature), promise, fromHex(receipt.key));
}
