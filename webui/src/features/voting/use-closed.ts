import { useEffect, useState } from "react";
import { useClockAhead } from "@/lib/api/server-clock";
import type { Proposal } from "./api";
import { endOf, isClosed } from "./proposal-state";

type Vote = Pick<Proposal, "status" | "endDate">;

// The longest delay of setTimeout; the timer is then set again.
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** Whether voting has closed; updates when the vote ends while the page is open. */
export function useClosed(proposal: Vote): boolean {
  return useOpen([proposal]).length === 0;
}

/** Those of some votes that are open; one that ends while the page is open leaves. */
export function useOpen<V extends Vote>(votes: readonly V[]): readonly V[] {
  const [now, setNow] = useState(() => new Date());
  const ahead = useClockAhead();
  const open = votes.filter((vote) => !isClosed(vote, new Date(now.getTime() - ahead)));
  const next = Math.min(...open.map(endOf));
  useEffect(() => {
    if (next === Infinity) return undefined;
    const wait = Math.min(Math.max(next + ahead - Date.now(), 0), LONGEST_WAIT_MS);
    const timer = setTimeout(() => setNow(new Date()), wait);
    return () => clearTimeout(timer);
  }, [ahead, next, now]);
  return open;
}
