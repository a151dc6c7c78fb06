import type { ReactNode } from "react";
import { formatPercent } from "@/lib/text/format";
import styles from "./vote-bar.module.css";

type VoteWords = {
  readonly yes: string;
  readonly no: string;
  /** "50% to pass" */
  readonly mark: string;
  readonly yesLabel: string;
  readonly noLabel: string;
  readonly none: string;
};

/** Yes and No as shares of the roll, one thread per whole percent; only Yes has a mark, at the share needed. */
export function VoteBar({
  yes,
  no,
  needed,
  words,
}: {
  /** Null if there are no votes yet. */
  readonly yes: number | null;
  readonly no: number | null;
  /** The share of yes votes that passes, in per cent. */
  readonly needed: number;
  readonly words: VoteWords;
}) {
  return (
    <div className={styles.vote}>
      <Option label={words.yesLabel} none={words.none} share={yes} tone="yes" word={words.yes}>
        <div className={styles.mark} style={{ left: `${needed}%` }}>
          <span>{words.mark}</span>
        </div>
      </Option>
      <Option label={words.noLabel} none={words.none} share={no} tone="no" word={words.no} />
    </div>
  );
}

function Option({
  word,
  label,
  none,
  share,
  tone,
  children,
}: {
  readonly word: string;
  readonly label: string;
  readonly none: string;
  readonly share: number | null;
  readonly tone: "yes" | "no";
  readonly children?: ReactNode;
}) {
  const value = Math.min(100, Math.max(0, share ?? 0));
  const said = share === null ? none : formatPercent(value);
  return (
    <div className={tone === "yes" ? styles.marked : undefined}>
      <div className={styles.top}>
        <span>{word}</span>
        <span className={share === null ? "muted sm" : "num"}>{said}</span>
      </div>
      <div
        aria-label={label}
        aria-valuemax={100}
        aria-valuemin={0}
        aria-valuenow={value}
        aria-valuetext={said}
        className={styles.track}
        role="meter"
      >
        <svg
          aria-hidden="true"
          className={styles[tone]}
          preserveAspectRatio="none"
          viewBox="0 0 100 10"
        >
          {Array.from({ length: Math.floor(value) }, (_, thread) => (
            <rect height="10" key={thread} width=".72" x={thread} y="0" />
          ))}
        </svg>
        {children}
      </div>
    </div>
  );
}
