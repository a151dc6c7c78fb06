import { beforeEach, describe, expect, test } from "vitest";
import { receipts } from "@/testing/promise-vectors.json";
import { storeBallot } from "@/lib/session/ballot-storage";
import { forgetSession, storeToken } from "@/lib/session/token-storage";
import { storeNonce, storeReceipt, storedReceipt, unansweredChoice } from "./stored-ballot";

const [AMA, KOFI] = ["ama", "kofi"].map((sub) => `h.${btoa(JSON.stringify({ sub }))}.s`);

beforeEach(() => storeToken(AMA ?? ""));

describe("what the browser keeps of a ballot", () => {
  test("the nonce has 16 bytes, and stays the same until the ballot is counted", () => {
    const nonce = storeNonce("bees", "upvote");

    expect(nonce).toMatch(/^[0-9a-f]{32}$/);
    expect(storeNonce("bees", "downvote")).toBe(nonce);
    expect(storeNonce("lights", "upvote")).not.toBe(nonce);
  });

  test("a ballot without a receipt is lost until it is sent again", () => {
    expect(unansweredChoice("bees")).toBeNull();
    storeNonce("bees", "downvote");
    expect(unansweredChoice("bees")).toBe("downvote");
    storeReceipt("bees", "downvote", receipts.yes);

    expect(unansweredChoice("bees")).toBeNull();
    expect(storedReceipt("bees")).toEqual(receipts.yes);
  });

  test("each member has ballots of their own, and signing out forgets them", () => {
    storeReceipt("bees", "upvote", receipts.yes);
    storeToken(KOFI ?? "");
    expect(storedReceipt("bees")).toBeNull();
    forgetSession();
    storeToken(AMA ?? "");

    expect(storedReceipt("bees")).toBeNull();
  });

  test("an invalid receipt is rejected", () => {
    storeBallot("bees", { nonce: "00", choice: "sideways", receipt: { leaf: 1 } });
    expect(storedReceipt("bees")).toBeNull();
    storeBallot("bees", { nonce: "00", choice: "sideways" });

    expect(unansweredChoice("bees")).toBeNull();
  });
});
