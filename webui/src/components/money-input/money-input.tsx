import { useId } from "react";
import { Icon } from "@/components/icon/icon";
import fieldStyles from "@/components/field/field.module.css";
import { classNames } from "@/lib/ui/class-names";
import { currencySign } from "@/lib/text/currency";
import { formatDollars } from "@/lib/text/format";
import { pledgeDollarsMax } from "@/rules.json";
import styles from "./money-input.module.css";

/** A large input for whole dollars with quick amounts. The value is text, possibly empty. */
export function MoneyInput({
  label,
  per,
  help,
  error,
  value,
  picks,
  picksLabel,
  small = false,
  onChange,
}: {
  readonly label: string;
  /** The unit, on one or two lines: "USD\na month"; with the sign, where that follows amounts. */
  readonly per: string;
  readonly help?: string;
  readonly error?: string | null | undefined;
  readonly value: string;
  readonly picks: readonly number[];
  readonly picksLabel: string;
  readonly small?: boolean;
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  const sign = currencySign();
  const hasError = error != null && error !== "";
  return (
    <div>
      <label className={fieldStyles.label} htmlFor={id}>
        {label}
      </label>
      <div className={classNames(styles.money, small && styles.small, hasError && styles.wrong)}>
        {sign === "" ? null : (
          <span aria-hidden="true" className={styles.currency}>
            {sign}
          </span>
        )}
        <input
          aria-describedby={classNames(
            help !== undefined && `${id}-help`,
            hasError && `${id}-error`,
          )}
          aria-invalid={hasError || undefined}
          id={id}
          inputMode="numeric"
          max={pledgeDollarsMax}
          min={0}
          onChange={(event) => onChange(event.target.value)}
          type="number"
          value={value}
        />
        <span className={styles.per}>{per}</span>
      </div>
      <fieldset className={styles.picks}>
        <legend className="vh">{picksLabel}</legend>
        {picks.map((dollars) => (
          <button
            aria-pressed={value === String(dollars)}
            className={styles.pick}
            key={dollars}
            onClick={() => onChange(String(dollars))}
            type="button"
          >
            {formatDollars(dollars)}
          </button>
        ))}
      </fieldset>
      {help === undefined ? null : (
        <p className={fieldStyles.help} id={`${id}-help`}>
          {help}
        </p>
      )}
      {hasError ? (
        <p className={fieldStyles.error} id={`${id}-error`}>
          <Icon name="warning" />
          {error}
        </p>
      ) : null}
    </div>
  );
}
