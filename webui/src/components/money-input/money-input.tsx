import { pledgeDollarsMax } from "@/rules.json";
import { useId } from "react";
import { Icon } from "@/components/icon/icon";
import fieldStyles from "@/components/field/field.module.css";
import { classNames } from "@/lib/ui/class-names";
import { currencySign } from "@/lib/text/currency";
import { formatDollars } from "@/lib/text/format";
import { readNumber } from "@/lib/text/number-reading";
import styles from "./money-input.module.css";

/** A large input for whole dollars with quick amounts. The value is what was typed, possibly empty;
 * on leaving the field `007` becomes `7`. */
export function MoneyInput({
  label,
  per,
  help,
  error,
  value,
  picks,
  picksLabel,
  small = false,
  notNumber,
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
  /** What stands for something that is no number, on leaving the field; by default it stays. */
  readonly notNumber?: string;
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  const sign = currencySign();
  const { value: number, fault } = readNumber(value, 0);
  const leave = () => {
    const settled = number ?? (fault === "none" || fault === "empty" ? notNumber : undefined) ?? value;
    if (settled !== value) onChange(settled);
  };
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
          // Not type="number", which drops the other language's decimal comma.
          inputMode="decimal"
          // The limits of spec §4; only the server's are enforced.
          max={pledgeDollarsMax}
          min={0}
          onBlur={leave}
          onChange={(event) => onChange(event.target.value)}
          value={value}
        />
        <span className={styles.per}>{per}</span>
      </div>
      <fieldset className={styles.picks}>
        <legend className="vh">{picksLabel}</legend>
        {picks.map((dollars) => (
          <button
            aria-pressed={number === String(dollars)}
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
