import { afterEach, describe, expect, test, vi } from "vitest";
import type { BallotProof, Receipt } from "@/api/schema";
import vectors from "@/testing/promise-vectors.json";
import { checkReceipt, isGood } from "./check-receipt";
import { findFate } from "./fate";
import type { Log } from "./signed-log";

const { head, lines, receipts, answers, forged } = vectors;
const DUE = new Date("2026-02-02T00:00:00Z");
const OVERDUE = new Date("2026-02-02T00:00:01Z");
const OTHER = "00".repeat(32);
const FATES = ["promised", "yes", "no", "dropped", "withdrawn"] as const;

afterEach(() => vi.restoreAllMocks());

function logWith(answer: BallotProof): Log {
  return {
    head: () => Promise.resolve(head),
    consistency: () => Promise.reject(new Error("a promise has no state of its own")),
    ballot: () => Promise.resolve(answer),
  };
}

async function found(receipt: Receipt, answer: BallotProof, now = DUE) {
  const { checks, fate } = await checkReceipt(receipt, logWith(answer), now);
  const failed = checks.flatMap(({ name, outcome }) => (outcome === "failed" ? [name] : []));
  return { fate, failed };
}

describe("the check of a promise", () => {
  test.each(FATES)("%s: every step passes", async (fate) => {
    const result = await checkReceipt(receipts[fate], logWith(answers[fate]), DUE);

    expect(result.fate).toBe(fate);
    expect(result.checks).toHaveLength(9);
    expect(result.checks.every(({ outcome }) => outcome === "ok")).toBe(true);
  });

  test("a ballot that the close neither lists nor drops is missing", async () => {
    expect(await found(receipts.missing, answers.missing)).toEqual({
      fate: "missing",
      failed: ["listing"],
    });
  });

  test("a ballot that was turned round is missing", async () => {
    expect(await found(receipts.turned, answers.turned)).toMatchObject({ fate: "missing" });
  });

  test("a ballot of a vote that is open after the promised time is missing", async () => {
    expect(await found(receipts.promised, answers.promised, OVERDUE)).toEqual({
      fate: "missing",
      failed: ["listing"],
    });
  });

  test("the log is asked about the ballot at the size of its signed state", async () => {
    const ballot = vi.fn(() => Promise.resolve(answers.yes));
    await checkReceipt(receipts.yes, { ...logWith(answers.yes), ballot }, DUE);

    const { voter } = JSON.parse(receipts.yes.leafBytes) as { voter: string };
    const { proposal, key } = receipts.yes;
    expect(ballot).toHaveBeenCalledExactlyOnceWith({ proposal, voter, key, size: head.size });
  });

  test.each<[string, Partial<Receipt>, readonly string[]]>([
    ["another leaf", { leaf: OTHER }, ["leaf", "tracker", "promise"]],
    ["another nonce", { nonce: "ff".repeat(16) }, ["nonce"]],
    ["another tracker", { tracker: "AAAA-AAAA-AAAA" }, ["tracker"]],
    ["another proposal", { proposal: "old" }, ["promise", "time", "listing"]],
    ["another signature", { signature: "00".repeat(64) }, ["promise"]],
    ["a later time", { listedBy: "2026-02-03T00:00:00Z" }, ["promise", "time"]],
    ["an earlier time", { listedBy: "2026-02-01T00:00:00Z" }, ["promise"]],
    ["another key", { key: OTHER }, ["promise", "key"]],
  ])("%s is found", async (_what, changes, failed) => {
    expect(await found({ ...receipts.yes, ...changes }, answers.yes)).toMatchObject({ failed });
  });

  test("a key that the log does not name is found", async () => {
    const { receipt, answer } = forged.strange;

    expect(await found(receipt, answer)).toMatchObject({ failed: ["key"] });
    expect(await found(receipt, answers.yes)).toMatchObject({ failed: ["key"] });
  });

  test("a promise for next year is found", async () => {
    const { receipt, answer } = forged.late;

    expect(await found(receipt, answer)).toMatchObject({ failed: ["time"] });
  });

  const { yes } = answers;
  test.each<[string, BallotProof, readonly string[]]>([
    ["a key without its proof", { ...yes, key: { ...yes.key, proof: [] } }, ["key"]],
    ["an ending without its proof", { ...yes, ending: { ...yes.ending, proof: [OTHER] } }, ["listing"]],
    ["the ending of another vote", { ...yes, ending: answers.withdrawn.ending }, ["listing"]],
    ["a ballot without its proof", { ...yes, ballot: { ...yes.ballot, proof: ["x"] } }, ["listing"]],
    ["a ballot after the close", { ...yes, ballot: { ...yes.ballot, index: 18 } }, ["listing"]],
    ["no ballot", { ...yes, ballot: null }, ["listing"]],
    ["no opening", { ...yes, opening: null }, ["time"]],
    ["a made-up withdrawal", madeUp("proposal_withdraw"), ["listing"]],
    ["a made-up close that drops it", madeUp("proposal_close"), ["listing"]],
  ])("%s proves nothing", async (_what, answer, failed) => {
    expect(await found(receipts.yes, answer)).toMatchObject({ failed });
  });

  function madeUp(type: string): BallotProof {
    const { leaf } = receipts.yes;
    const text = `{"dropped":["${leaf}"],"proposal":"new","t":"jara/v1/${type}"}`;
    return { ...yes, ending: { ...yes.ending, leaf: text } };
  }

  test("without the log only the promise itself is checked", async () => {
    const silent = { ...logWith(yes), ballot: () => Promise.reject(new Error()) };
    const { checks, fate } = await checkReceipt(receipts.yes, silent, DUE);
    const outcomes = Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]));

    expect(fate).toBeNull();
    expect(isGood(checks)).toBe(true);
    expect(outcomes).toMatchObject({ promise: "ok", today: "ok", key: "unreached", listing: "unreached" });
    const dark = { ...silent, head: () => Promise.reject(new Error()) };
    const darker = await checkReceipt(receipts.yes, dark, DUE);
    expect(darker.checks.at(-1)).toEqual({ name: "listing", outcome: "unreached" });
  });

  test("a browser without Ed25519 says so and checks the rest", async () => {
    vi.spyOn(crypto.subtle, "importKey").mockRejectedValue(new DOMException("no", "NotSupported"));
    const { checks, fate } = await checkReceipt(receipts.yes, logWith(yes), DUE);
    const outcomes = Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]));

    expect(fate).toBe("yes");
    expect(outcomes).toMatchObject({ promise: "unsupported", today: "unsupported", listing: "ok" });
  });
});

describe("the ballot in the whole log", () => {
  const whole = lines.split("\n");

  test.each([...FATES, "missing"] as const)("%s", (fate) => {
    expect(findFate(receipts[fate], whole, DUE)).toBe(fate);
  });

  test("a turned or overdue ballot is missing", () => {
    expect(findFate(receipts.turned, whole, DUE)).toBe("missing");
    expect(findFate(receipts.promised, whole, OVERDUE)).toBe("missing");
  });

  test("a ballot that is listed only after the close is missing", () => {
    const late = [...whole.filter((line) => line !== receipts.yes.leafBytes), receipts.yes.leafBytes];

    expect(findFate(receipts.yes, late, DUE)).toBe("missing");
  });
});
