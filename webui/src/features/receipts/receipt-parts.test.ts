import { describe, expect, test } from "vitest";
import promises from "@/testing/promise-vectors.json";
import vectors from "@/testing/receipt-vectors.json";
import { nonceHashOf, readBallotLeaf, trackerOf } from "./ballot";
import { MalformedBytes, fromBase64, fromHex, toBase32, toHex, utf8 } from "./bytes";
import { canonicalJson, readCanonical } from "./canonical";
import { isSignedBy, MalformedNote, parseCheckpoint, parseVerificationKey } from "./note";
import { parseReceipt } from "./parse-receipt";

const { receipt, head } = vectors;
const promise = promises.receipts.yes;

describe("bytes", () => {
  test("hex must be lower case and complete", () => {
    expect(toHex(fromHex("00ff"))).toBe("00ff");
    for (const text of ["0", "0G", "FF"]) expect(() => fromHex(text)).toThrow(MalformedBytes);
  });

  test("only canonical base64 is accepted", () => {
    expect(toHex(fromBase64("AAE="))).toBe("0001");
    for (const text of ["", "AAE", "AAF=", "AA E=", "AAE=="]) {
      expect(() => fromBase64(text)).toThrow(MalformedBytes);
    }
  });

  test("base32 follows RFC 4648", () => {
    expect(toBase32(utf8("foobar"), 8)).toBe("MZXW6YTB");
  });
});

describe("canonical JSON", () => {
  test("keys are sorted, without white space", () => {
    expect(canonicalJson({ b: [1, true, "é"], a: {} })).toBe('{"a":{},"b":[1,true,"é"]}');
  });

  test.each([
    ["null", { a: null }],
    ["a fraction", { a: 1.5 }],
    ["a number that readers lose digits of", { a: 2 ** 53 }],
    ["a key that is not snake_case", { A: 1 }],
    ["text outside NFC", { a: "e\u0301" }],
    ["half of a surrogate pair", { a: "\uD800" }],
    ["U+0000", { a: "\0" }],
    ["21 levels", Array.from({ length: 21 }).reduce<unknown>((inner) => [inner], 1)],
  ])("%s has no canonical bytes", (_what, value) => {
    expect(canonicalJson(value)).toBeNull();
  });

  test.each(['{"b":1,"a":2}', '{"a": 1}', '{"a":1,"a":2}', "[]", "{", '{"a":1.0}'])(
    "%s is not the canonical text of an object",
    (text) => {
      expect(readCanonical(text)).toBeNull();
    },
  );
});

describe("the ballot", () => {
  test("the published nonce has the published hash", async () => {
    expect(await nonceHashOf("prop_01", "000102030405060708090a0b0c0d0e0f")).toBe(
      "b2446f1b75e72076e778c6d540ced5d2aa0f7805ac530b227450955b459692b7",
    );
  });

  test("the published ballot has the published tracker", () => {
    expect(trackerOf(fromHex(receipt.leaf))).toBe("RSTY-2YNO-CRFS");
  });

  test("a leaf is read only when it is a ballot and nothing else", () => {
    expect(readBallotLeaf(receipt.leafBytes)).toMatchObject({ choice: "up", proposal: "prop_01" });
    expect(readBallotLeaf(vectors.genesis)).toBeNull();
    expect(readBallotLeaf(receipt.leafBytes.replace('"up"', '"left"'))).toBeNull();
    expect(readBallotLeaf(receipt.leafBytes.replace('"voter"', '"voter_b":"x","voter"'))).toBeNull();
  });
});

describe("checkpoints", () => {
  test("a published verification key has its id", async () => {
    const key = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8";

    expect((await parseVerificationKey(key)).name).toBe("sum.golang.org");
    await expect(parseVerificationKey(key.replace("033d", "033e"))).rejects.toThrow(MalformedNote);
    await expect(parseVerificationKey("no key")).rejects.toThrow(MalformedNote);
  });

  test("the signature covers origin, size and root", async () => {
    const key = await parseVerificationKey(head.key);
    const other = { ...key, id: "00000000" };

    expect(await isSignedBy(parseCheckpoint(receipt.checkpoint), key)).toBe(true);
    const changed = receipt.checkpoint.replace("\n5\n", "\n6\n");
    expect(await isSignedBy(parseCheckpoint(changed), key)).toBe(false);
    expect(await isSignedBy(parseCheckpoint(receipt.checkpoint), other)).toBe(false);
  });

  test.each([
    "",
    "one\n\n",
    "log\n5\n\n",
    receipt.checkpoint.slice(0, -1),
    receipt.checkpoint.replace("\n5\n", "\n05\n"),
    receipt.checkpoint.replace("\u2014", "-"),
  ])("%j is not a checkpoint", (note) => {
    expect(() => parseCheckpoint(note)).toThrow(Error);
  });
});

describe("receipts", () => {
  test("a receipt is parsed as it was written", () => {
    expect(parseReceipt(JSON.stringify(promise))).toEqual(promise);
  });

  test.each([
    ["no JSON", "leaf"],
    ["something missing", JSON.stringify({ ...promise, nonce: undefined })],
    ["a hash that is too short", JSON.stringify({ ...promise, leaf: "ab" })],
    ["a nonce that is not hex", JSON.stringify({ ...promise, nonce: "xyz" })],
    ["a tracker of another shape", JSON.stringify({ ...promise, tracker: "RSTY" })],
    ["a promise without a key", JSON.stringify({ ...promise, key: undefined })],
    ["a promise with half a key", JSON.stringify({ ...promise, key: "ab" })],
    ["a promise with half a signature", JSON.stringify({ ...promise, signature: "ab" })],
    ["a promise for some time", JSON.stringify({ ...promise, listedBy: "soon" })],
    ["a promise for no day", JSON.stringify({ ...promise, listedBy: "2026-13-02T00:00:00Z" })],
  ])("%s is not a receipt", (_what, text) => {
    expect(parseReceipt(text)).toBeNull();
  });
});
