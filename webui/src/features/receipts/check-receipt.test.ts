import { afterEach, describe, expect, test, vi } from "vitest";
import vectors from "@/testing/receipt-vectors.json";
import { checkReceipt, isGood } from "./check-receipt";
import type { Log } from "./signed-log";

const { receipt, head, consistency } = vectors;
const log: Log = {
  head: () => Promise.resolve(head),
  consistency: () => Promise.resolve(consistency),
  ballot: () => Promise.reject(new Error("a proof needs no question about its ballot")),
};
const NOW = new Date("2026-03-01T00:00:00Z");

afterEach(() => vi.restoreAllMocks());

async function outcomes(changes: Partial<typeof receipt>, asked: Log = log) {
  const { checks } = await checkReceipt({ ...receipt, ...changes }, asked, NOW);
  return Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]));
}

describe("the check of a receipt of an earlier version", () => {
  test("a good receipt passes every step", async () => {
    const { checks, fate } = await checkReceipt(receipt, log, NOW);

    expect(checks).toHaveLength(9);
    expect(new Set(checks.map(({ outcome }) => outcome))).toEqual(new Set(["ok"]));
    expect(isGood(checks)).toBe(true);
    expect(fate).toBeNull();
  });

  const other = "00".repeat(32);
  test.each([
    ["another choice", { leafBytes: receipt.leafBytes.replace('"up"', '"down"') }, ["leaf"]],
    ["white space", { leafBytes: ` ${receipt.leafBytes}` }, ["bytes", "leaf", "nonce"]],
    ["another leaf", { leaf: other }, ["leaf", "tracker", "inclusion"]],
    ["another nonce", { nonce: "ff".repeat(16) }, ["nonce"]],
    ["another tracker", { tracker: "AAAA-AAAA-AAAA" }, ["tracker"]],
    ["another place", { index: 3 }, ["inclusion"]],
    ["another root", { root: other }, ["inclusion", "checkpoint", "consistency"]],
    ["another proof", { proof: [other] }, ["inclusion"]],
    ["another note", { checkpoint: head.checkpoint }, ["checkpoint"]],
    ["a torn note", { checkpoint: "torn" }, ["checkpoint", "signature"]],
  ])("%s is found", async (_what, changes, failed) => {
    const found = await outcomes(changes);

    expect(Object.keys(found).filter((name) => found[name] === "failed")).toEqual(failed);
  });

  test("a key that was replaced still signs what was before", async () => {
    const [newKey = ""] = vectors.witnesses;
    const changed = (upTo: number) => ({
      ...log,
      head: () => Promise.resolve({ ...head, key: newKey, earlierKeys: [{ key: head.key, upTo }] }),
    });

    expect(await outcomes({}, changed(receipt.size))).toMatchObject({ signature: "ok" });
    expect(await outcomes({}, changed(receipt.size - 1))).toMatchObject({ signature: "failed" });
  });

  test("a rewritten log is detected", async () => {
    const rewritten = { ...log, head: () => Promise.resolve({ ...head, root: other }) };

    expect(await outcomes({}, rewritten)).toMatchObject({ today: "failed", consistency: "failed" });
  });

  test("a truncated log is detected", async () => {
    const shorter = { ...log, head: () => Promise.resolve({ ...head, size: 4 }) };

    expect(await outcomes({}, shorter)).toMatchObject({ consistency: "failed" });
  });

  test("without the log its checks are skipped", async () => {
    const silent = { ...log, head: () => Promise.reject(new Error()) };

    expect(await outcomes({}, silent)).toMatchObject({
      inclusion: "ok",
      signature: "unreached",
      today: "unreached",
      consistency: "unreached",
    });
    const half = { ...log, consistency: () => Promise.reject(new Error()) };
    expect(await outcomes({}, half)).toMatchObject({ today: "ok", consistency: "unreached" });
  });

  test("a browser without Ed25519 says so and checks the rest", async () => {
    vi.spyOn(crypto.subtle, "importKey").mockRejectedValue(new DOMException("no", "NotSupported"));
    const { checks } = await checkReceipt(receipt, log, NOW);
    const found = Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]));

    expect(found).toMatchObject({ signature: "unsupported", today: "unsupported", consistency: "ok" });
    expect(isGood(checks)).toBe(true);
  });
});
