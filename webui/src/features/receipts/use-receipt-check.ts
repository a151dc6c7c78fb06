import { useCallback, useState } from "react";
import type { BallotProof, Receipt } from "@/api/schema";
import { ApiError, apiGet, apiSend } from "@/lib/api/api-client";
import { useWhenOnline } from "@/lib/ui/use-when-online";
import { checkReceipt, type ReceiptCheck } from "./check-receipt";
import { checkWitnesses, parseTrustedKeys, type WitnessCheck } from "./check-witnesses";
import { parseReceipt } from "./parse-receipt";
import type { BallotQuestion, Log } from "./signed-log";

export type CheckState =
  | { readonly status: "idle" | "running" | "empty" | "unreadable" | "no-crypto" | "no-keys" }
  | {
      readonly status: "done";
      readonly receipt: Receipt;
      readonly typed: TypedKeys;
      readonly result: ReceiptCheck;
      /** Null if the reader brought no keys. */
      readonly witnesses: WitnessCheck | null;
      readonly at: Date;
    };

/** Keys from elsewhere as they were typed, and how many witnesses are needed. */
export type TypedKeys = { readonly keys: string; readonly quorum: string };

const LOG: Log = {
  head: () => apiGet("/proofs/checkpoint"),
  consistency: (from, to) => apiGet(`/proofs/consistency?from=${from}&to=${to}`),
  ballot: askAboutBallot,
};
const NO_KEYS: TypedKeys = { keys: "", quorum: "" };

/** What the log says about a ballot; nothing if it never had such a vote. */
async function askAboutBallot(asked: BallotQuestion): Promise<BallotProof> {
  try {
    // Not in the address: access logs would link the reader's computer to the ballot.
    return await apiSend("POST /proofs/ballot", asked);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    return { size: asked.size, root: "", key: null, opening: null, ballot: null, ending: null };
  }
}

/**
 * Checks a receipt, which never leaves the browser. The server is asked about the token of its
 * ballot.
 */
export function useReceiptCheck(): readonly [
  CheckState,
  (text: string, typed?: TypedKeys) => Promise<void>,
] {
  const [state, setState] = useState<CheckState>({ status: "idle" });
  const check = useCallback(async (text: string, typed: TypedKeys = NO_KEYS) => {
    if (text.trim() === "") return setState({ status: "empty" });
    const receipt = parseReceipt(text);
    if (receipt === null) return setState({ status: "unreadable" });
    if (!hasWebCrypto()) return setState({ status: "no-crypto" });
    const trusted = await parseTrustedKeys(typed.keys, typed.quorum);
    if (trusted === null) return setState({ status: "no-keys" });
    setState({ status: "running" });
    const isAsked = trusted.log !== null || trusted.witnesses.length > 0;
    const at = new Date();
    const [result, witnesses] = await Promise.all([
      checkReceipt(receipt, LOG, at),
      isAsked ? checkWitnesses(trusted, LOG) : null,
    ]);
    setState({ status: "done", receipt, typed, result, witnesses, at });
  }, []);
  const isPartly = state.status === "done" && state.result.checks.some(({ outcome }) => outcome === "unreached");
  useWhenOnline(isPartly ? () => void check(JSON.stringify(state.receipt), state.typed) : null);
  return [state, check];
}

// WebCrypto needs https or localhost.
function hasWebCrypto(): boolean {
  return (crypto as { readonly subtle?: SubtleCrypto }).subtle !== undefined;
}
