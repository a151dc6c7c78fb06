import { useEffect } from "react";
import { useResourceCache } from "@/lib/api/resource";
import { useClockAhead } from "@/lib/api/server-clock";
import type { Proposal } from "./api";
import { endOf } from "./proposal-state";
import { HOUR_MS } from "./use-deadline";

const VOTES = "/user/get-proposals";
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
// The longest delay of setTimeout.
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** Keeps a vote current in its last hour, and after its end until the result is there. */
export function useLiveVote(proposal: Proposal): void {
  const cache = useResourceCache();
  const ahead = useClockAhead();
  const end = endOf(proposal);
  const isDecided = proposal.status !== "open";
  useEffect(() => {
    if (isDecided) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const goOn = () => {
      const rest = end - (Date.now() - ahead);
      timer = setTimeout(() => void ask(rest), Math.min(waitWith(rest), LONGEST_WAIT_MS));
    };
    const ask = async (rest: number) => {
      if (rest <= HOUR_MS && !document.hidden) await cache.reload(VOTES);
      if (!left) goOn();
    };
    let left = false;
    const returned = () => {
      if (document.hidden || end - (Date.now() - ahead) > HOUR_MS) return;
      clearTimeout(timer);
      void ask(0);
    };
    goOn();
    document.addEventListener("visibilitychange", returned);
    return () => {
      left = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", returned);
    };
  }, [ahead, cache, end, isDecided]);
}

/** How long to wait for the next answer; not all readers ask at the same moment. */
function waitWith(rest: number): number {
  const spread = Math.random() * SECOND_MS;
  if (rest > HOUR_MS) return rest - HOUR_MS;
  if (rest > MINUTE_MS) return Math.min(20 * SECOND_MS, rest) + spread;
  if (rest > 0) return Math.min(5 * SECOND_MS, rest) + spread;
  return (rest > -MINUTE_MS ? 3 * SECOND_MS : MINUTE_MS) + spread;
}
