import styles from "./stepper.module.css";

/** Progress through a series of steps. */
export function Stepper({
  label,
  steps,
  current,
}: {
  readonly label: string;
  readonly steps: readonly string[];
  /** The current step, from 0. */
  readonly current: number;
}) {
  return (
    <ol aria-label={label} className={styles.steps}>
      {steps.map((step, index) => (
        <li
          aria-current={index === current ? "step" : undefined}
          className={index < current ? styles.done : undefined}
          key={step}
        >
          <span>
            {index + 1}. {step}
          </span>
        </li>
      ))}
    </ol>
  );
}
