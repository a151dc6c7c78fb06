import styles from "./progress-bar.module.css";

/** A progress bar; the figure is shown beside it as text. */
export function ProgressBar({
  label,
  value,
  max,
  text,
  tone = "action",
}: {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly text: string;
  readonly tone?: "action" | "success";
}) {
  const share = max <= 0 ? 0 : Math.min(100, Math.max(0, (value / max) * 100));
  return (
    <div>
      <div
        aria-label={label}
        aria-valuemax={max}
        aria-valuemin={0}
        aria-valuenow={Math.min(value, max)}
        aria-valuetext={text}
        className={styles.track}
        role="progressbar"
      >
        <i className={styles[tone]} style={{ width: `${share}%` }} />
      </div>
      <p className={styles.text}>{text}</p>
    </div>
  );
}
