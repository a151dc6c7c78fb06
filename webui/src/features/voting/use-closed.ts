import { useEffect, useState } from "react";
import { useClockAhead } from "@/lib/api/server-clock";
import type { Proposal } from "./api";
import { endOf, isClosed } from "./proposal-state";

// The longest delay of setTimeout; the timer is then set again.
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** Whether voting has closed; updates when the vote ends while the page is open. */
export function useClosed(proposal: Proposal): boolean {
  const [now, setNow] = useState(() => new Date());
  const ahead = useClockAhead();
  const closed = isClosed(proposal, new Date(now.getTime() - ahead));
  const end = endOf(proposal);
  useEffect(() => {
    if (closed) return;
    const wait = Math.min(Math.max(end + ahead - Date.now(), 0), LONGEST_WAIT_MS);
    const timer = setTimeout(() => setNow(new Date()), wait);
    return () => clearTimeout(timer);
  }, [ahead, closed, end, now]);
  return closed;
}
