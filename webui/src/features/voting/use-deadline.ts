import { useEffect, useState } from "react";
import openVoteTexts from "@/messages/en/open-vote.json";
import { useClockAhead } from "@/lib/api/server-clock";
import { formatDeadline, formatWeekdayOf } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { endOf } from "./proposal-state";

const t = translator(openVoteTexts);
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
// In the last two days the time left is shown too.
const SHORT_MS = 48 * HOUR_MS;

/** The end of a vote in the organisation's time zone, or else in the reader's own. */
export type Deadline = {
  /** `Thursday, 10 December`. */
  readonly day: string;
  /** `Thursday, 10 December, 18:59 EST`. */
  readonly instant: string;
  /** `5 hours left`, at the end `12 seconds left`; null while there is more time. */
  readonly left: string | null;
  readonly isLastHour: boolean;
};

/** The end of a vote; in its last two days it counts down, in its last minute by the second. */
export function useDeadline(proposal: { readonly endDate: string }): Deadline {
  const [read, setRead] = useState(() => new Date());
  const now = new Date(read.getTime() - useClockAhead());
  const end = endOf(proposal);
  const left = end - now.getTime();
  const isShort = left <= SHORT_MS && left > 0;
  useEffect(() => {
    if (!isShort) return undefined;
    // Wakes when the text changes: at each full minute, in the last one at each full second.
    const step = left > MINUTE_MS ? MINUTE_MS : SECOND_MS;
    const timer = setTimeout(() => setRead(new Date()), (left % step) + 1);
    return () => clearTimeout(timer);
  }, [isShort, left]);
  return {
    day: formatWeekdayOf(end, now),
    instant: formatDeadline(end, now),
    left: isShort ? timeLeft(left) : null,
    isLastHour: isShort && left <= HOUR_MS,
  };
}

/** A sentence that names the end, and the time left while it is short. */
export function withLeft(until: string, { left }: Deadline): string {
  return left === null ? until : `${until}\u00a0· ${left}`;
}

function timeLeft(ms: number): string {
  if (ms < MINUTE_MS) return t("left.seconds", { count: Math.ceil(ms / SECOND_MS) });
  const minutes = Math.floor(ms / MINUTE_MS);
  const hours = Math.floor(minutes / 60);
  return hours >= 2 ? t("left.hours", { count: hours }) : t("left.minutes", { count: minutes });
}
