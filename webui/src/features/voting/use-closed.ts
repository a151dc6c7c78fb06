import { useEffect, useState } from "react";
import type { Proposal } from "./api";
import { endOf, isClosed } from "./proposal-state";

// The longest delay of setTimeout; the timer is then set again.
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** Whether voting has closed; updates when the vote ends while the page is open. */
export function useClosed(proposal: Proposal): boolean {
  const [now, setNow] = useState(() => new Date());
  const closed = isClosed(proposal, now);
  const end = endOf(proposal);
  useEffect(() => {
    if (closed) return;
    const wait = Math.min(Math.max(end - Date.now(), 0), LONGEST_WAIT_MS);
    const timer = setTimeout(() => setNow(new Date()), wait);
    return () => clearTimeout(timer);
  }, [closed, end, now]);
  return closed;
}
