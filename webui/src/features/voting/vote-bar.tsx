import openVoteTexts from "@/messages/en/open-vote.json";
import votingTexts from "@/messages/en/voting.json";
import { wordsOfRule } from "@/lib/models/vote-rule";
import { formatPercent } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import type { Choice, Proposal } from "./api";
import { sharesOf } from "./proposal-state";
import styles from "./vote-bar.module.css";

const t = translator(votingTexts);
const open = translator(openVoteTexts);
const THREADS_MAX = 240;
/** Of the picture's width: what is between few threads, and how thick its mark is at most. */
const HAIR = 0.006;

/**
 * The vote as one bar with a thread for each changemaker: yes from the left, no from the right, the
 * rest bare, a mark where it passes; the own vote is bold, as far as this browser knows it.
 */
export function VoteBar({
  proposal,
  closed,
  own,
}: {
  readonly proposal: Pick<Proposal, "withdrawal" | "tally" | "votes" | "upvotePercentage" | "downvotePercentage">;
  readonly closed: boolean;
  readonly own: Choice | null;
}) {
  const { withdrawal, tally } = proposal;
  const { yes, no, roll, rule } = tally;
  if (withdrawal || roll === 0) return null;
  if (yes === null || no === null) return <p className="sm muted">{open("figures.at-close")}</p>;
  const words = wordsOfRule(rule);
  const shares = sharesOf(proposal);
  const none = t(closed ? "bar.none-closed" : "bar.none");
  return (
    <div className={styles.vote}>
      <div className={styles.shares}>
        <Share label={t("bar.yes-label", words)} none={none} share={shares.yes} word={t("yes")} />
        <Share label={t("bar.no-label")} none={none} share={shares.no} word={t("no")} />
      </div>
      <Threads no={no} own={own} roll={roll} rule={rule} yes={yes} />
    </div>
  );
}

function Share({
  word,
  label,
  none,
  share,
}: {
  readonly word: string;
  readonly label: string;
  readonly none: string;
  readonly share: number | null;
}) {
  const value = Math.min(100, Math.max(0, share ?? 0));
  return (
    <div
      aria-label={label}
      aria-valuemax={100}
      aria-valuemin={0}
      aria-valuenow={value}
      aria-valuetext={share === null ? none : formatPercent(value)}
      role="meter"
    >
      {word} <span className="num">{formatPercent(value)}</span>
    </div>
  );
}

function Threads({
  yes,
  no,
  roll,
  rule,
  own,
}: Pick<Proposal["tally"], "roll" | "rule"> & {
  readonly yes: number;
  readonly no: number;
  readonly own: Choice | null;
}) {
  const words = wordsOfRule(rule);
  const unit = Math.ceil(roll / THREADS_MAX);
  const count = Math.ceil(roll / unit);
  const [yesEnd, noStart] = [Math.round(yes / unit), count - Math.round(no / unit)];
  const hair = count * HAIR;
  const gap = Math.min(0.38, hair);
  const over = Math.min(0.35, hair);
  const mark = Math.min(0.3, hair);
  const percent = words.percent * (rule.of === "votes" ? (yes + no) / roll : 1);
  const mine = own === "upvote" ? yesEnd - 1 : own === "downvote" ? noStart : -1;
  return (
    <figure>
      <div className={styles.bar}>
        <svg
          aria-label={t("threads.label", { yes, no, rest: roll - yes - no })}
          preserveAspectRatio="none"
          role="img"
          viewBox={`0 0 ${count} 10`}
        >
          {Array.from({ length: count }, (_, thread) => (
            <rect
              className={styles[kindOf(thread, yesEnd, noStart)]}
              height="9"
              // The threads never change places.
              // oxlint-disable-next-line react/no-array-index-key
              key={thread}
              width={1 - gap}
              x={thread + gap / 2}
              y="1"
            />
          ))}
          {mine < 0 ? null : (
            // Over its neighbours.
            <rect className={styles.mine} height="10" width={1 + 2 * over} x={Math.min(Math.max(0, mine - over), count - 1 - 2 * over)} y="0" />
          )}
          <rect className={styles.mark} height="10" width={mark} x={(count * percent) / 100 - mark / 2} y="0" />
        </svg>
        <span style={{ left: `clamp(3em, ${percent}%, 100% - 3em)` }}>{t("bar.mark", words)}</span>
      </div>
      <figcaption className="xs muted">
        {t(unit === 1 ? "threads.one" : "threads.many", { unit, ...words })}
        {mine >= 0 ? <b> {t("threads.yours")}</b> : null}
      </figcaption>
    </figure>
  );
}

function kindOf(thread: number, yesEnd: number, noStart: number) {
  if (thread < yesEnd) return "yes";
  return thread >= noStart ? "no" : "bare";
}
