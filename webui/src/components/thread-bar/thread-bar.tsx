import styles from "./thread-bar.module.css";

/** A decorative bar of threads; the figure is shown beside it. */
export function ThreadBar({
  threads,
  threadsMax,
}: {
  readonly threads: number;
  /** Number of threads in the full width. */
  readonly threadsMax: number;
}) {
  const max = Math.max(1, threadsMax);
  const whole = Math.floor(threads);
  const rest = threads - whole;
  return (
    <svg
      aria-hidden="true"
      className={styles.bar}
      preserveAspectRatio="none"
      viewBox={`0 0 ${max} 10`}
    >
      {Array.from({ length: whole }, (_, thread) => (
        <rect height="10" key={thread} width=".7" x={thread} y="0" />
      ))}
      {rest > 0 ? <rect height="10" width={rest * 0.7} x={whole} y="0" /> : null}
    </svg>
  );
}
