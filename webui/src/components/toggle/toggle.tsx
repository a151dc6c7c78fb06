import styles from "./toggle.module.css";

/** A switch with ON and OFF labels. */
export function Toggle({
  label,
  on,
  words,
  disabled = false,
  onChange,
}: {
  readonly label: string;
  readonly on: boolean;
  readonly words: { readonly on: string; readonly off: string };
  readonly disabled?: boolean;
  readonly onChange: (on: boolean) => void;
}) {
  return (
    <button
      aria-checked={on}
      aria-label={label}
      className={styles.toggle}
      disabled={disabled}
      onClick={() => onChange(!on)}
      role="switch"
      type="button"
    >
      <i aria-hidden="true" />
      <span aria-hidden="true">{on ? words.on : words.off}</span>
    </button>
  );
}
