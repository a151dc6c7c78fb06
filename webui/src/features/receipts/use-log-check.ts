import { useCallback, useState } from "react";
import { apiDownload, apiGet } from "@/lib/api/api-client";
import type { Receipt } from "@/api/schema";
import { useWhenOnline } from "@/lib/ui/use-when-online";
import { checkLog, type LogCheck } from "./check-log";
import { findFate, type Fate } from "./fate";

// More would keep a phone busy for too long; the stand-alone verifier has no limit.
const LEAVES_MAX = 50_000;

export type LogCheckState =
  | { readonly status: "idle" | "running" | "unreached" | "too-long" }
  | {
      readonly status: "done";
      readonly size: number;
      readonly found: LogCheck;
      readonly fate: Fate;
      readonly at: Date;
    };

/** Fetches the whole log, checks it against its signed state, and looks for the ballot. */
export function useLogCheck(receipt: Receipt): readonly [LogCheckState, () => Promise<void>] {
  const [state, setState] = useState<LogCheckState>({ status: "idle" });
  const check = useCallback(async () => {
    setState({ status: "running" });
    setState(await readAndCheck(receipt));
  }, [receipt]);
  useWhenOnline(state.status === "unreached" ? check : null);
  return [state, check];
}

async function readAndCheck(receipt: Receipt): Promise<LogCheckState> {
  try {
    const head = await apiGet("/proofs/checkpoint");
    if (head.size > LEAVES_MAX) return { status: "too-long" };
    const file = await apiDownload(`/proofs/entries?from=0&to=${head.size}`);
    const lines = await file.text();
    const at = new Date();
    const found = await checkLog(lines, [head]);
    const fate = findFate(receipt, lines.split("\n"), at);
    return { status: "done", size: head.size, found, fate, at };
  } catch {
    return { status: "unreached" };
  }
}
