import type { SelectHTMLAttributes } from "react";
import { classNames } from "@/lib/ui/class-names";
import { FrameView, useFieldFrame } from "./field";
import styles from "./field.module.css";

export type Option = { readonly value: string; readonly label: string };

/** A native select, for type-ahead and phone pickers. */
export function Select({
  label,
  options,
  placeholder,
  help,
  error,
  ...select
}: {
  readonly label: string;
  readonly options: readonly Option[];
  /** The first, empty option. */
  readonly placeholder?: string;
  readonly help?: string;
  readonly error?: string | null | undefined;
} & Omit<SelectHTMLAttributes<HTMLSelectElement>, "id" | "children">) {
  const frame = useFieldFrame(help, error);
  return (
    <FrameView error={error} frame={frame} help={help} label={label}>
      <select className={classNames(styles.input, styles.select)} {...frame.control} {...select}>
        {placeholder === undefined ? null : <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FrameView>
  );
}
