import type { Receipt } from "@/api/schema";
import { readReceipt } from "@/lib/models/receipt";
import { readBallot, storeBallot } from "@/lib/session/ballot-storage";
import type { Choice } from "./api";

const NONCE_BYTES = 16;

/** The secret nonce of a ballot, stored before sending so that a retry sends the same ballot. */
export function storeNonce(proposalId: string, choice: Choice): string {
  const nonce = readBallot(proposalId)?.nonce ?? newNonce();
  storeBallot(proposalId, { nonce, choice });
  return nonce;
}

/** Stores the receipt with its ballot. */
export function storeReceipt(proposalId: string, choice: Choice, receipt: Receipt): void {
  storeBallot(proposalId, { nonce: receipt.nonce, choice, receipt });
}

/** The receipt stored in this browser, or null. */
export function storedReceipt(proposalId: string): Receipt | null {
  return readReceipt(readBallot(proposalId)?.receipt);
}

/** The choice of a ballot with a receipt in this browser. */
export function storedChoice(proposalId: string): Choice | null {
  const ballot = readBallot(proposalId);
  return ballot?.receipt === undefined ? null : choiceOf(ballot.choice);
}

/** The choice of a ballot that got no answer; sending it again returns the receipt. */
export function unansweredChoice(proposalId: string): Choice | null {
  const ballot = readBallot(proposalId);
  if (ballot === null || ballot.receipt !== undefined) return null;
  return choiceOf(ballot.choice);
}

function choiceOf(choice: string): Choice | null {
  return choice === "upvote" || choice === "downvote" ? choice : null;
}

function newNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
