import { useId } from "react";
import fieldStyles from "@/components/field/field.module.css";
import styles from "./radio-cards.module.css";

export type RadioCard<T extends string> = {
  readonly value: T;
  readonly label: string;
  readonly note: string;
};

/** Radio buttons as cards with a second line. The selected one has a tick, not only a colour. */
export function RadioCards<T extends string>({
  legend,
  cards,
  value,
  onChange,
}: {
  readonly legend: string;
  readonly cards: readonly RadioCard<T>[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}) {
  const name = useId();
  return (
    <fieldset>
      <legend className={fieldStyles.label}>{legend}</legend>
      <div className={styles.cards}>
        {cards.map((card) => (
          <label className={styles.card} key={card.value}>
            <input
              checked={card.value === value}
              name={name}
              onChange={() => onChange(card.value)}
              type="radio"
              value={card.value}
            />
            <b>{card.label}</b> <span>{card.note}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
