import type { VoteCounts } from "@/api/schema";
import votingTexts from "@/messages/en/voting.json";
import { wordsOfRule } from "@/lib/models/vote-rule";
import { classNames } from "@/lib/ui/class-names";
import { translator } from "@/lib/text/messages";
import type { Choice } from "./api";
import styles from "./vote-threads.module.css";

const t = translator(votingTexts);
const THREADS_MAX = 240;
/** Of the picture's width: what is between few threads, and how thick its mark is at most. */
const HAIR = 0.006;

/**
 * One thread for each changemaker: yes from the left, no from the right, the rest bare; the own
 * vote is lit, as far as this browser knows it.
 */
export function VoteThreads({
  tally,
  own,
  isBold,
}: {
  readonly tally: VoteCounts;
  readonly own: Choice | null;
  readonly isBold: boolean;
}) {
  const { roll, rule } = tally;
  const [yes, no] = [tally.yes ?? 0, tally.no ?? 0];
  if (roll === 0) return null;
  const words = wordsOfRule(rule);
  const unit = Math.ceil(roll / THREADS_MAX);
  const count = Math.ceil(roll / unit);
  const [yesEnd, noStart] = [Math.round(yes / unit), count - Math.round(no / unit)];
  const hair = count * HAIR;
  const gap = Math.min(0.38, hair);
  const over = Math.min(0.35, hair);
  const mark = Math.min(0.3, hair);
  const place = (count * words.percent * (rule.of === "votes" ? (yes + no) / roll : 1)) / 100;
  const mine = own === "upvote" ? yesEnd - 1 : own === "downvote" ? noStart : -1;
  return (
    <figure className={classNames(styles.threads, isBold && styles.last)}>
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
            width={1 - gap}
            x={thread + gap / 2}
            y={thread === mine ? 0 : 1}
          />
        ))}
        {isBold && mine >= 0 ? (
          // Over its neighbours.
          <rect className={styles.bold} height="10" width={1 + 2 * over} x={Math.min(Math.max(0, mine - over), count - 1 - 2 * over)} y="0" />
        ) : null}
        <rect className={styles.mark} height="10" width={mark} x={place - mark / 2} y="0" />
      </svg>
      <figcaption className="xs muted">
        {t(unit === 1 ? "threads.one" : "threads.many", { unit, ...words })}
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
