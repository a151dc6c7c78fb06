import { useCallback, useState } from "react";
import type { Receipt } from "@/lib/models/receipt";
import { readConsistency, readLogHead } from "./api";
import { checkReceipt, type Checked } from "./check-receipt";
import { parseReceipt } from "./parse-receipt";

export type CheckState =
  | { readonly status: "idle" | "running" | "empty" | "unreadable" | "no-crypto" }
  | { readonly status: "done"; readonly receipt: Receipt; readonly checks: readonly Checked[] };

const LOG = { head: readLogHead, consistency: readConsistency };

/** Checks a receipt; it never leaves the browser. */
export function useReceiptCheck(): readonly [CheckState, (text: string) => Promise<void>] {
  const [state, setState] = useState<CheckState>({ status: "idle" });
  const check = useCallback(async (text: string) => {
    if (text.trim() === "") return setState({ status: "empty" });
    const receipt = parseReceipt(text);
    if (receipt === null) return setState({ status: "unreadable" });
    if (!hasWebCrypto()) return setState({ status: "no-crypto" });
    setState({ status: "running" });
    setState({ status: "done", receipt, checks: await checkReceipt(receipt, LOG) });
  }, []);
  return [state, check];
}

// WebCrypto needs https or localhost.
function hasWebCrypto(): boolean {
  return (crypto as { readonly subtle?: SubtleCrypto }).subtle !== undefined;
}
