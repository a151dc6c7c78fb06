import { beforeEach, describe, expect, test } from "vitest";
import vectors from "@/testing/receipt-vectors.json";
import { storeBallot } from "@/lib/session/ballot-storage";
import { forgetSession, storeToken } from "@/lib/session/token-storage";
import { keepNonce, keepReceipt, keptReceipt, lostChoice } from "./kept-ballot";

const [AMA, KOFI] = ["ama", "kofi"].map((sub) => `h.${btoa(JSON.stringify({ sub }))}.s`);

beforeEach(() => storeToken(AMA ?? ""));

describe("what the browser keeps of a ballot", () => {
  test("the nonce has 16 bytes, and stays the same until the ballot is counted", () => {
    const nonce = keepNonce("bees", "upvote");

    expect(nonce).toMatch(/^[0-9a-f]{32}$/);
    expect(keepNonce("bees", "downvote")).toBe(nonce);
    expect(keepNonce("lights", "upvote")).not.toBe(nonce);
  });

  test("a ballot without a receipt is lost until it is sent again", () => {
    expect(lostChoice("bees")).toBeNull();
    keepNonce("bees", "downvote");
    expect(lostChoice("bees")).toBe("downvote");
    keepReceipt("bees", "downvote", vectors.receipt);

    expect(lostChoice("bees")).toBeNull();
    expect(keptReceipt("bees")).toEqual(vectors.receipt);
  });

  test("each member has ballots of their own, and signing out forgets them", () => {
    keepReceipt("bees", "upvote", vectors.receipt);
    storeToken(KOFI ?? "");
    expect(keptReceipt("bees")).toBeNull();
    forgetSession();
    storeToken(AMA ?? "");

    expect(keptReceipt("bees")).toBeNull();
  });

  test("an invalid receipt is rejected", () => {
    storeBallot("bees", { nonce: "00", choice: "sideways", receipt: { leaf: 1 } });
    expect(keptReceipt("bees")).toBeNull();
    storeBallot("bees", { nonce: "00", choice: "sideways" });

    expect(lostChoice("bees")).toBeNull();
  });
});
