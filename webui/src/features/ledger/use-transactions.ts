import { useEffect, useRef, useState } from "react";
import type { Transaction } from "@/api/schema";
import { apiGet } from "@/lib/api/api-client";
import { wordsInBooks } from "@/lib/text/booked";
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

// Counted in entries: a payment comes with its fee.
const PAGE = 12;

type Shown = {
  readonly status: "loading" | "ready" | "error" | "loading-more" | "more-error";
  readonly items: readonly Transaction[];
  readonly next: string | null;
};

const LOADING: Shown = { status: "loading", items: [], next: null };

/** The transactions that match, a page at a time, newest first. */
export function useTransactions(filters: Filters): Shown & {
  readonly loadMore: () => void;
  readonly reload: () => void;
} {
  const [held, setHeld] = useState({ filters, shown: LOADING });
  const [attempt, setAttempt] = useState(0);
  const request = useRef<AbortController | null>(null);
  // Ignores results of earlier filters.
  const shown = held.filters === filters ? held.shown : LOADING;

  useEffect(() => {
    const own = new AbortController();
    request.current = own;
    void readPage(filters, LOADING, own.signal).then((after) => {
      if (!own.signal.aborted) setHeld({ filters, shown: after });
    });
    return () => request.current?.abort();
  }, [filters, attempt]);

  const loadMore = async () => {
    const own = new AbortController();
    request.current = own;
    setHeld({ filters, shown: { ...shown, status: "loading-more" } });
    const after = await readPage(filters, shown, own.signal);
    if (!own.signal.aborted) setHeld({ filters, shown: after });
  };
  const reload = () => {
    setHeld({ filters, shown: LOADING });
    setAttempt(attempt + 1);
  };
  useWhenOnline(shown.status === "error" ? reload : shown.status === "more-error" ? () => void loadMore() : null);
  return { ...shown, loadMore: () => void loadMore(), reload };
}

async function readPage(filters: Filters, before: Shown, signal: AbortSignal): Promise<Shown> {
  try {
    const query = queryOf(filters, before.next);
    const page = await apiGet(`/ledger/transactions?${query}`, { signal });
    return { status: "ready", items: [...before.items, ...page.items], next: page.next };
  } catch {
    return { ...before, status: before.next === null ? "error" : "more-error" };
  }
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
