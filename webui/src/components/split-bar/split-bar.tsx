import { Skeleton } from "@/components/skeleton/skeleton";
import { classNames } from "@/lib/ui/class-names";
import { formatPercent } from "@/lib/text/format";
import styles from "./split-bar.module.css";

export type SplitPart = {
  readonly key: "projects" | "staff" | "marketing" | "other";
  readonly label: string;
  readonly percent: number;
};

const THREADS = 100;
const PART_GAP = 0.5;

/** The fund split as a bar of a hundred threads, in fixed colours and order. */
export function SplitBar({
  parts,
  label,
  onDark = false,
}: {
  readonly parts: readonly SplitPart[];
  /** All figures as one sentence. */
  readonly label: string;
  readonly onDark?: boolean;
}) {
  return (
    <div className={classNames(styles.split, onDark && styles.dark)}>
      <svg
        aria-label={label}
        className={styles.bar}
        preserveAspectRatio="none"
        role="img"
        viewBox={`0 0 ${THREADS + PART_GAP * (parts.length - 1)} 10`}
      >
        {threadKeys(parts).map((key, thread) => {
          const part = parts.findIndex((one) => one.key === key);
          const x = thread + PART_GAP * part;
          // Threads have no identity besides their position.
          // oxlint-disable-next-line react/no-array-index-key
          return <rect className={styles[key]} height="10" key={thread} width=".82" x={x} y="0" />;
        })}
      </svg>
      <ul className={styles.list}>
        {parts.map((part) => (
          <li key={part.key}>
            <i aria-hidden="true" className={styles[part.key]} />
            <span>
              <b className="num">{formatPercent(part.percent)}</b> {part.label}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Placeholder of a split that is loading. */
export function SplitWaiting() {
  return (
    <div className={classNames(styles.split, styles.waiting)}>
      <div>
        <Skeleton shape="block" />
      </div>
    </div>
  );
}

/** The split as a donut chart; the figures are beside or below it. */
export function SplitDonut({
  parts,
  label,
  caption,
}: {
  readonly parts: readonly SplitPart[];
  readonly label: string;
  readonly caption: string;
}) {
  const starts = parts.map((_, index) =>
    parts.slice(0, index).reduce((sum, part) => sum + part.percent, 0),
  );
  return (
    <svg
      aria-label={label}
      className={classNames(styles.split, styles.donut)}
      role="img"
      viewBox="0 0 200 200"
    >
      {parts.map((part, index) => (
        <circle
          className={styles[part.key]}
          cx="100"
          cy="100"
          key={part.key}
          pathLength="100"
          r="75"
          strokeDasharray={`${Math.max(0, part.percent - 0.6)} 100`}
          strokeDashoffset={-(starts[index] ?? 0)}
        />
      ))}
      <text className="num" x="100" y="104">
        {formatPercent(parts[0]?.percent ?? 0)}
      </text>
      <text className={styles.caption} x="100" y="126">
        {caption}
      </text>
    </svg>
  );
}

// Largest remainder method: the parts always add up to a hundred.
function threadKeys(parts: readonly SplitPart[]): SplitPart["key"][] {
  const counts = parts.map((part) => Math.floor(part.percent));
  const order = parts
    .map((part, index) => ({ index, rest: part.percent - Math.floor(part.percent) }))
    .toSorted((left, right) => right.rest - left.rest);
  let missing = THREADS - counts.reduce((sum, count) => sum + count, 0);
  for (const { index } of order) {
    if (missing <= 0) break;
    counts[index] = (counts[index] ?? 0) + 1;
    missing -= 1;
  }
  return parts.flatMap((part, index) => Array.from({ length: counts[index] ?? 0 }, () => part.key));
}
