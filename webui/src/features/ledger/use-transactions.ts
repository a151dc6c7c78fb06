import { useCallback, useEffect, useRef, useState } from "react";
import { apiGet } from "@/lib/api-client";
import { transactionPage, type Transaction } from "./api";

/** Which transactions are wanted; empty text means any. */
export type Filters = {
  readonly kind: string;
  readonly text: string;
  readonly from: string;
  readonly to: string;
};

export const NO_FILTERS: Filters = { kind: "", text: "", from: "", to: "" };

type State = {
  readonly status: "loading" | "ready" | "error" | "loading-more" | "more-error";
  readonly items: readonly Transaction[];
  readonly next: string | null;
  readonly error: Error | null;
};

const LOADING: State = { status: "loading", items: [], next: null, error: null };

/** The transactions that match, a page at a time, newest first. */
export function useTransactions(filters: Filters): State & {
  readonly loadMore: () => void;
  readonly reload: () => void;
} {
  const [state, setState] = useState<State>(LOADING);
  const request = useRef<AbortController | null>(null);

  const read = useCallback(
    async (cursor: string | null, before: readonly Transaction[]) => {
      request.current?.abort();
      const own = new AbortController();
      request.current = own;
      setState((now) => (cursor === null ? LOADING : { ...now, status: "loading-more" }));
      try {
        const path = `/ledger/transactions?${queryOf(filters, cursor)}`;
        const page = await apiGet(path, transactionPage, { signal: own.signal });
        if (own.signal.aborted) return;
        setState({ status: "ready", items: [...before, ...page.items], next: page.next, error: null });
      } catch (error) {
        if (own.signal.aborted) return;
        const cause = error instanceof Error ? error : new Error(String(error));
        const status = cursor === null ? "error" : "more-error";
        setState((now) => ({ ...now, status, error: cause }));
      }
    },
    [filters],
  );

  useEffect(() => {
    void read(null, []);
    return () => request.current?.abort();
  }, [read]);

  return {
    ...state,
    loadMore: () => void read(state.next, state.items),
    reload: () => void read(null, []),
  };
}

/** The query of a page, with only what is asked for in it. */
export function queryOf(filters: Filters, cursor: string | null): string {
  const query = new URLSearchParams();
  const wanted = {
    kind: filters.kind,
    q: filters.text.trim(),
    from: filters.from,
    to: filters.to,
    cursor: cursor ?? "",
  };
  for (const [name, value] of Object.entries(wanted)) if (value !== "") query.set(name, value);
  return query.toString();
}
