import type { Tally } from "@/api/schema";
import votingTexts from "@/messages/en/voting.json";
import { wordsOfRule } from "@/lib/models/vote-rule";
import { translator } from "@/lib/text/messages";
import type { Choice } from "./api";
import styles from "./vote-threads.module.css";

const t = translator(votingTexts);
const THREADS_MAX = 240;

/**
 * One thread for each changemaker: yes from the left, no from the right, the rest bare; the own
 * vote is lit, as far as this browser knows it.
 */
export function VoteThreads({
  tally,
  own,
}: {
  readonly tally: Tally;
  readonly own: Choice | null;
}) {
  const { yes, no, roll, rule } = tally;
  if (roll === 0) return null;
  const unit = Math.ceil(roll / THREADS_MAX);
  const count = Math.ceil(roll / unit);
  const [yesEnd, noStart] = [Math.round(yes / unit), count - Math.round(no / unit)];
  const mine = own === "upvote" ? yesEnd - 1 : own === "downvote" ? noStart : -1;
  return (
    <figure className={styles.threads}>
      <svg
        aria-label={t("threads.label", { yes, no, rest: roll - yes - no })}
        preserveAspectRatio="none"
        role="img"
        viewBox={`0 0 ${count} 10`}
      >
        {Array.from({ length: count }, (_, thread) => (
          <rect
            className={styles[kindOf(thread, yesEnd, noStart, mine)]}
            height={thread === mine ? 10 : 9}
            // The threads never change places.
            // oxlint-disable-next-line react/no-array-index-key
            key={thread}
            width=".62"
            x={thread + 0.19}
            y={thread === mine ? 0 : 1}
          />
        ))}
        <rect className={styles.mark} height="10" width=".3" x={(count * rule.num) / rule.den - 0.15} y="0" />
      </svg>
      <figcaption className="xs muted">
        {t(unit === 1 ? "threads.one" : "threads.many", { unit, ...wordsOfRule(rule) })}
        {mine >= 0 ? <b> {t("threads.yours")}</b> : null}
      </figcaption>
    </figure>
  );
}

function kindOf(thread: number, yesEnd: number, noStart: number, mine: number) {
  if (thread === mine) return "mine";
  if (thread < yesEnd) return "yes";
  return thread >= noStart ? "no" : "bare";
}
