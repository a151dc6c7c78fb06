import { readNumber } from "@/lib/text/number-reading";
import type { Outcome } from "./outcome";
import type { SignedLog } from "./signed-log";
import { fromHex, isSame, MalformedBytes } from "./bytes";
import { isConsistent } from "./merkle";
import {
  cosignedAt,
  isSignedBy,
  MalformedNote,
  parseCheckpoint,
  parseVerificationKey,
  type Checkpoint,
  type VerificationKey,
} from "./note";

/** Keys that the reader got elsewhere, and how many witnesses must have seen the log. */
export type TrustedKeys = {
  readonly log: VerificationKey | null;
  readonly witnesses: readonly VerificationKey[];
  readonly quorum: number;
};

/** What one witness says; "unseen" if it has not cosigned the newest witnessed checkpoint. */
export type Sight = {
  readonly name: string;
  readonly outcome: Outcome | "unseen";
  readonly at: Date | null;
};

/** The witnesses' side of a check; an outcome is null where no key was given for it. */
export type WitnessCheck = {
  /** Whether the log's key is the one that was given. */
  readonly key: Outcome | null;
  /** How many leaves the witnessed checkpoint has, and how many came later. */
  readonly size: number;
  readonly newer: number;
  readonly sights: readonly Sight[];
  readonly needed: number;
  readonly seen: number;
  /** Whether enough witnesses saw the log, and today's log continues what they saw. */
  readonly quorum: Outcome | null;
};

/** Parses keys, one on each line; null if a line is none. Without a number all are needed. */
export async function parseTrustedKeys(text: string, quorum = ""): Promise<TrustedKeys | null> {
  const lines = text.split("\n").map((line) => line.trim());
  const written = [...new Set(lines)].filter((line) => line !== "" && !line.startsWith("#"));
  try {
    const keys = await Promise.all(written.map(parseVerificationKey));
    const witnesses = keys.filter(({ isWitness }) => isWitness);
    const logs = keys.filter(({ isWitness }) => !isWitness);
    const { value, fault } = readNumber(quorum, 0);
    const needed = fault === "empty" ? witnesses.length : Number(value ?? Number.NaN);
    const isPossible = needed >= Math.min(1, witnesses.length) && needed <= witnesses.length;
    return isPossible && logs.length < 2 ? { log: logs[0] ?? null, witnesses, quorum: needed } : null;
  } catch (error) {
    if (error instanceof MalformedNote || error instanceof MalformedBytes) return null;
    throw error;
  }
}

/** Checks today's log against keys from elsewhere. */
export async function checkWitnesses(trusted: TrustedKeys, log: SignedLog): Promise<WitnessCheck> {
  const nothing = { size: 0, newer: 0, sights: [], needed: trusted.quorum, seen: 0 };
  const asked = { key: trusted.log, quorum: trusted.witnesses.length === 0 ? null : trusted };
  try {
    const head = await log.head();
    const own = await parseVerificationKey(head.key);
    const key = trusted.log === null ? null : outcomeOf(isSameKey(trusted.log, own));
    if (asked.quorum === null) return { ...nothing, key, quorum: null };
    if (head.cosigned === null) return { ...nothing, key, sights: unseen(trusted), quorum: "failed" };
    const note = parseCheckpoint(head.cosigned);
    const sights = await Promise.all(trusted.witnesses.map((one) => sightOf(note, one)));
    const seen = sights.filter(({ outcome }) => outcome === "ok").length;
    const signed = await isSignedBy(note, trusted.log ?? own);
    const continues = await isContinued(note, head, log);
    const quorum = quorumOf(sights, seen >= trusted.quorum && continues, signed);
    const newer = head.size - note.size;
    return { ...nothing, key, size: note.size, newer, sights, seen, quorum };
  } catch (error) {
    const outcome = isMalformed(error) ? "failed" : "unreached";
    return {
      ...nothing,
      key: asked.key === null ? null : outcome,
      quorum: asked.quorum === null ? null : outcome,
    };
  }
}

/** Whether nothing of it failed. */
export function isWitnessed(check: WitnessCheck): boolean {
  const outcomes = [check.key, check.quorum, ...check.sights.map(({ outcome }) => outcome)];
  return !outcomes.includes("failed");
}

async function sightOf(note: Checkpoint, witness: VerificationKey): Promise<Sight> {
  const name = witness.name;
  try {
    const at = await cosignedAt(note, witness);
    if (at === "unsupported") return { name, outcome: at, at: null };
    return { name, outcome: at === null ? "unseen" : "ok", at };
  } catch (error) {
    if (isMalformed(error)) return { name, outcome: "failed", at: null };
    throw error;
  }
}

async function isContinued(
  note: Checkpoint,
  head: { readonly size: number; readonly root: string },
  log: SignedLog,
): Promise<boolean> {
  const secondRoot = fromHex(head.root);
  if (note.size === head.size) return isSame(note.root, secondRoot);
  if (note.size > head.size) return false;
  const { proof } = await log.consistency(note.size, head.size);
  return isConsistent({
    first: note.size,
    second: head.size,
    firstRoot: note.root,
    secondRoot,
    proof: proof.map(fromHex),
  });
}

function quorumOf(
  sights: readonly Sight[],
  holds: boolean,
  signed: boolean | "unsupported",
): Outcome {
  if (signed === "unsupported" || sights.some(({ outcome }) => outcome === "unsupported")) {
    return "unsupported";
  }
  return outcomeOf(holds && signed);
}

function unseen(trusted: TrustedKeys): readonly Sight[] {
  return trusted.witnesses.map(({ name }) => ({ name, outcome: "unseen", at: null }));
}

function isSameKey(one: VerificationKey, other: VerificationKey): boolean {
  return one.name === other.name && isSame(one.publicKey, other.publicKey);
}

function outcomeOf(holds: boolean): Outcome {
  return holds ? "ok" : "failed";
}

function isMalformed(error: unknown): boolean {
  return error instanceof MalformedNote || error instanceof MalformedBytes;
}
