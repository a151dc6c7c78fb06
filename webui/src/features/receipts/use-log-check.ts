import { useCallback, useState } from "react";
import { apiDownload, apiGet } from "@/lib/api/api-client";
import { checkLog, type LogCheck, type LogState } from "./check-log";

// More would keep a phone busy for too long; the stand-alone verifier has no limit.
const LEAVES_MAX = 50_000;

export type LogCheckState =
  | { readonly status: "idle" | "running" | "unreached" | "too-long" }
  | { readonly status: "done"; readonly size: number; readonly found: LogCheck };

/** Fetches the whole log and checks it against the receipt's state and the current one. */
export function useLogCheck(receipt: LogState): readonly [LogCheckState, () => Promise<void>] {
  const [state, setState] = useState<LogCheckState>({ status: "idle" });
  const check = useCallback(async () => {
    setState({ status: "running" });
    setState(await readAndCheck(receipt));
  }, [receipt]);
  return [state, check];
}

async function readAndCheck(receipt: LogState): Promise<LogCheckState> {
  try {
    const head = await apiGet("/proofs/checkpoint");
    if (head.size > LEAVES_MAX) return { status: "too-long" };
    const file = await apiDownload(`/proofs/entries?from=0&to=${head.size}`);
    const found = await checkLog(await file.text(), [receipt, head]);
    return { status: "done", size: head.size, found };
  } catch {
    return { status: "unreached" };
  }
}
