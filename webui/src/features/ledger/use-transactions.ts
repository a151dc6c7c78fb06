import { useEffect, useRef, useState } from "react";
import type { Transaction } from "@/api/schema";
import { apiGet } from "@/lib/api/api-client";
import type { LoadedResource, ResourceState } from "@/lib/api/resource";
import { wordsInBooks } from "@/lib/text/booked";
import { asError } from "@/lib/ui/use-failure";
import { useWhenOnline } from "@/lib/ui/use-when-online";
import { accountsNamed } from "./account-name";

/** Filters; empty text means any. */
export type Filters = {
  readonly kind: string;
  readonly text: string;
  readonly from: string;
  readonly to: string;
};

export const NO_FILTERS: Filters = { kind: "", text: "", from: "", to: "" };

type State = ResourceState<Shown>;
type Held = { readonly filters: Filters; readonly state: State };

const LOADING: State = { status: "loading", data: null, error: null };

// Counted in entries: a payment comes with its fee.
const PAGE = 12;

/** The rows that are there, and the state of the request for more. */
export type Shown = {
  readonly items: readonly Transaction[];
  readonly next: string | null;
  readonly more: "ready" | "loading" | "failed";
};

/** The transactions that match, a page at a time, newest first. */
export function useTransactions(filters: Filters): LoadedResource<Shown> & { readonly loadMore: () => void } {
  const [held, setHeld] = useState<Held>({ filters, state: LOADING });
  const [attempt, setAttempt] = useState(0);
  const request = useRef<AbortController | null>(null);
  // Ignores results of earlier filters.
  const state = held.filters === filters ? held.state : LOADING;

  useEffect(() => {
    const own = new AbortController();
    request.current = own;
    void readPage(filters, null, own.signal).then((after) => {
      if (!own.signal.aborted) setHeld({ filters, state: after });
    });
    return () => request.current?.abort();
  }, [filters, attempt]);

  const loadMore = async () => {
    const own = new AbortController();
    request.current = own;
    const { data } = state;
    if (data !== null) setHeld({ filters, state: ready({ ...data, more: "loading" }) });
    const after = await readPage(filters, data, own.signal);
    if (!own.signal.aborted) setHeld({ filters, state: after });
  };
  const reload = () => {
    setHeld({ filters, state: LOADING });
    setAttempt(attempt + 1);
  };
  useWhenOnline(state.status === "error" ? reload : state.data?.more === "failed" ? () => void loadMore() : null);
  return { ...state, loadMore: () => void loadMore(), reload };
}

async function readPage(filters: Filters, before: Shown | null, signal: AbortSignal): Promise<State> {
  try {
    const query = queryOf(filters, before?.next ?? null);
    const page = await apiGet(`/ledger/transactions?${query}`, { signal });
    return ready({ items: [...(before?.items ?? []), ...page.items], next: page.next, more: "ready" });
  } catch (error) {
    return before === null ? { status: "error", data: null, error: asError(error) } : ready({ ...before, more: "failed" });
  }
}

function ready(data: Shown): State {
  return { status: "ready", data, error: null };
}

/** The query of a page, without empty filters. */
export function queryOf(filters: Filters, cursor: string | null): string {
  const query = new URLSearchParams();
  const text = filters.text.trim();
  const wanted = {
    limit: String(PAGE),
    kind: filters.kind,
    q: text,
    // What this page calls differently from the books.
    also: text === "" ? "" : wordsInBooks(text).join("|"),
    accounts: text === "" ? "" : accountsNamed(text).join("|"),
    from: filters.from,
    to: filters.to,
    cursor: cursor ?? "",
  };
  for (const [name, value] of Object.entries(wanted)) if (value !== "") query.set(name, value);
  return query.toString();
}
