import { describe, expect, test } from "vitest";
import vectors from "@/testing/receipt-vectors.json";
import { checkLog } from "./check-log";

const { genesis, genesisLeaf, rootOfTwo, receipt } = vectors;
const lines = `${genesis}\n${receipt.leafBytes}\n`;
const states = [
  { size: 2, root: rootOfTwo },
  { size: 1, root: genesisLeaf },
];

describe("the check of the whole log", () => {
  test("leaves that match every state pass, also as hashes only", async () => {
    const withheld = `{"leaf":"${genesisLeaf}"}\n${receipt.leafBytes}\n`;

    expect(await checkLog(lines, states)).toEqual({ holds: true, firstBad: null });
    expect(await checkLog(withheld, states)).toEqual({ holds: true, firstBad: null });
    const nothing = { size: 0, root: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" };
    expect(await checkLog("", [nothing])).toEqual({ holds: true, firstBad: null });
  });

  test.each([
    ["a leaf that is not canonical", lines.replace('"v":1}', '"v":1 }'), 0],
    ["a hash that is none", `{"leaf":"ab"}\n${receipt.leafBytes}\n`, 0],
    ["letters that are not a hash", `{"leaf":"${"x".repeat(64)}"}\n${receipt.leafBytes}\n`, 0],
    ["another choice", lines.replace('"up"', '"down"'), 1],
    ["a leaf too many", `${lines}${genesis}\n`, 2],
    ["a leaf that is missing", `${genesis}\n`, 1],
    ["another beginning", lines.replace('"v":1}', '"v":2}'), 0],
  ])("%s is named by its place", async (_what, changed, firstBad) => {
    expect(await checkLog(changed, states)).toEqual({ holds: false, firstBad });
  });
});
