import { useEffect, useState } from "react";
import votingTexts from "@/messages/en/voting.json";
import { useClockAhead } from "@/lib/api/server-clock";
import { formatDeadline, formatWeekdayOf } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { endOf } from "./proposal-state";

const t = translator(votingTexts);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
// In the last two days the time left is shown too.
const SHORT_MS = 48 * HOUR_MS;

/** The end of a vote in the organisation's time zone, or else in the reader's own. */
export type Deadline = {
  /** `Thursday, 10 December`. */
  readonly day: string;
  /** `Thursday, 10 December, 18:59 EST`. */
  readonly instant: string;
  /** `5 hours left`; null while there is more time. */
  readonly left: string | null;
};

/** The end of a vote; in its last two days it counts down. */
export function useDeadline(proposal: { readonly endDate: string }): Deadline {
  const [read, setRead] = useState(() => new Date());
  const now = new Date(read.getTime() - useClockAhead());
  const end = endOf(proposal);
  const isShort = end - now.getTime() <= SHORT_MS && end > now.getTime();
  useEffect(() => {
    if (!isShort) return undefined;
    const timer = setInterval(() => setRead(new Date()), MINUTE_MS);
    return () => clearInterval(timer);
  }, [isShort]);
  return {
    day: formatWeekdayOf(end, now),
    instant: formatDeadline(end, now),
    left: isShort ? timeLeft(end - now.getTime()) : null,
  };
}

/** A sentence that names the end, and the time left while it is short. */
export function withLeft(until: string, { left }: Deadline): string {
  return left === null ? until : `${until}\u00a0· ${left}`;
}

function timeLeft(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / MINUTE_MS));
  const hours = Math.floor(minutes / 60);
  return hours >= 2 ? t("left.hours", { count: hours }) : t("left.minutes", { count: minutes });
}
