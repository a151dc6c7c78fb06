import { describe, expect, test, vi } from "vitest";
import type { Checkpoint } from "@/api/schema";
import vectors from "@/testing/receipt-vectors.json";
import { checkWitnesses, isWitnessed, parseTrustedKeys } from "./check-witnesses";
import type { SignedLog } from "./signed-log";

const { head, consistency, witnesses, cosignedHead, cosignedReceipt } = vectors;
const [one = "", two = "", three = ""] = witnesses;

function logWith(changes: Partial<Checkpoint>): SignedLog {
  return {
    head: () => Promise.resolve({ ...head, cosigned: cosignedHead, ...changes }),
    consistency: () => Promise.resolve(consistency),
  };
}

async function found(keys: readonly string[], quorum = "", changes: Partial<Checkpoint> = {}) {
  const trusted = await parseTrustedKeys(keys.join("\n"), quorum);
  if (trusted === null) throw new Error("no keys");
  return checkWitnesses(trusted, logWith(changes));
}

describe("keys from elsewhere", () => {
  test("one on each line, with comments; all witnesses are needed unless a number says less", async () => {
    const keys = `# the log\n${head.key}\n\n  ${one}\n${two}\n${two}\n`;

    expect(await parseTrustedKeys(keys)).toMatchObject({
      log: { name: "jara.example/log" },
      witnesses: [{ name: "w1.example/witness" }, { name: "w2.example/witness" }],
      quorum: 2,
    });
    expect(await parseTrustedKeys(keys, "1")).toMatchObject({ quorum: 1 });
    expect(await parseTrustedKeys("")).toEqual({ log: null, witnesses: [], quorum: 0 });
  });

  test.each([
    ["nonsense", ""],
    [one.replace("+BI", "+BJ"), ""],
    [`${head.key}\n${head.key.replace("jara", "kara")}`, ""],
    [one, "2"],
    [one, "0"],
    [one, "1.5"],
    [one, "one"],
    ["", "1"],
  ])("%j with quorum %j is refused", async (keys, quorum) => {
    expect(await parseTrustedKeys(keys, quorum)).toBeNull();
  });
});

describe("the witnesses of today's log", () => {
  test("each is named with the time at which it saw the log", async () => {
    const check = await found([head.key, one, two, three], "2");

    expect(check).toMatchObject({ key: "ok", size: 13, newer: 0, seen: 2, quorum: "ok" });
    expect(check.sights).toEqual([
      { name: "w1.example/witness", outcome: "ok", at: new Date("2026-03-01T12:00:00Z") },
      { name: "w2.example/witness", outcome: "ok", at: new Date("2026-03-01T12:00:00Z") },
      { name: "w3.example/witness", outcome: "unseen", at: null },
    ]);
    expect(isWitnessed(check)).toBe(true);
  });

  test("an older cosigned state is followed to today's", async () => {
    const check = await found([one], "", { cosigned: cosignedReceipt });

    expect(check).toMatchObject({ size: 5, newer: 8, quorum: "ok" });
  });

  test("below the quorum it fails", async () => {
    for (const changes of [{}, { cosigned: null }, { cosigned: head.checkpoint }]) {
      // oxlint-disable-next-line no-await-in-loop
      const check = await found([one, two, three], "", changes);
      expect(check.quorum).toBe("failed");
      expect(isWitnessed(check)).toBe(false);
    }
  });

  test("today's log must continue what they saw", async () => {
    const check = await found([one], "", { cosigned: cosignedReceipt, root: "00".repeat(32) });

    expect(check.quorum).toBe("failed");
    expect((await found([one], "", { size: 4 })).quorum).toBe("failed");
    expect((await found([one], "", { root: "00".repeat(32) })).quorum).toBe("failed");
  });

  test("a forged cosignature is named", async () => {
    const [, , , , , signature = ""] = cosignedHead.split("\n");
    const forged = cosignedReceipt.split("\n").slice(0, 5).join("\n");
    const check = await found([one], "", { cosigned: `${forged}\n${signature}\n` });

    expect(check.sights).toMatchObject([{ outcome: "failed" }]);
    expect(isWitnessed(check)).toBe(false);
  });

  test("another key of the log than the one that is known is named", async () => {
    const golang = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8";

    expect(await found([three], "1")).toMatchObject({ key: null, quorum: "failed" });
    expect(await found([golang])).toMatchObject({ key: "failed", quorum: null });
    expect(await found([golang, one])).toMatchObject({ key: "failed", quorum: "failed" });
  });

  test("without the log, or without Ed25519, nothing is claimed", async () => {
    const silent = { ...logWith({}), head: () => Promise.reject(new Error()) };
    const trusted = await parseTrustedKeys(`${head.key}\n${one}`);
    if (trusted === null) throw new Error("no keys");

    expect(await checkWitnesses(trusted, silent)).toMatchObject({ key: "unreached", quorum: "unreached" });
    expect(await found([one], "", { cosigned: "torn" })).toMatchObject({ quorum: "failed" });
    vi.spyOn(crypto.subtle, "importKey").mockRejectedValue(new DOMException("no", "NotSupported"));
    expect(await found([one])).toMatchObject({ sights: [{ outcome: "unsupported" }], quorum: "unsupported" });
  });
});
