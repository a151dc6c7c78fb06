import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type TextareaHTMLAttributes,
} from "react";
import { Icon } from "@/components/icon/icon";
import { classNames } from "@/lib/ui/class-names";
import styles from "./field.module.css";

type FieldFrame = {
  readonly label: string;
  /** Shown below and announced with the field. */
  readonly help?: ReactNode;
  /** The error message; marks the field as invalid. */
  readonly error?: string | null | undefined;
  readonly labelHidden?: boolean;
};

type InputProps = FieldFrame &
  Omit<InputHTMLAttributes<HTMLInputElement>, "id"> & {
    readonly ref?: Ref<HTMLInputElement>;
    readonly inputClassName?: string | undefined;
  };

/** A labelled text input. */
export function Field({
  label,
  help,
  error,
  labelHidden,
  inputClassName,
  ref,
  ...input
}: InputProps) {
  const frame = useFieldFrame(help, error);
  return (
    <FrameView error={error} frame={frame} help={help} label={label} labelHidden={labelHidden}>
      <input
        className={classNames(styles.input, inputClassName)}
        ref={ref ?? null}
        {...frame.control}
        {...input}
      />
    </FrameView>
  );
}

type AreaProps = FieldFrame &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id"> & {
    readonly ref?: Ref<HTMLTextAreaElement>;
  };

/** A labelled text area. */
export function TextArea({ label, help, error, labelHidden, ref, ...area }: AreaProps) {
  const frame = useFieldFrame(help, error);
  return (
    <FrameView error={error} frame={frame} help={help} label={label} labelHidden={labelHidden}>
      <textarea
        className={classNames(styles.input, styles.area)}
        ref={ref ?? null}
        {...frame.control}
        {...area}
      />
    </FrameView>
  );
}

export type FieldIds = {
  readonly control: {
    readonly id: string;
    readonly "aria-invalid": boolean | undefined;
    readonly "aria-describedby": string | undefined;
  };
  readonly helpId: string;
  readonly errorId: string;
};

/** The ids that link a control to its label, help and error. */
export function useFieldFrame(help: ReactNode, error: string | null | undefined): FieldIds {
  const id = useId();
  const hasError = error != null && error !== "";
  const helpId = `${id}-help`;
  const errorId = `${id}-error`;
  const described = classNames(help != null && helpId, hasError && errorId);
  return {
    control: {
      id,
      "aria-invalid": hasError || undefined,
      "aria-describedby": described === "" ? undefined : described,
    },
    helpId,
    errorId,
  };
}

/** Label above, help and error below. */
export function FrameView({
  label,
  labelHidden = false,
  help,
  error,
  frame,
  children,
}: {
  readonly label: string;
  readonly labelHidden?: boolean | undefined;
  readonly help: ReactNode;
  readonly error: string | null | undefined;
  readonly frame: FieldIds;
  readonly children: ReactNode;
}) {
  return (
    <div>
      <label className={labelHidden ? "vh" : styles.label} htmlFor={frame.control.id}>
        {label}
      </label>
      {children}
      {help == null ? null : (
        <p className={styles.help} id={frame.helpId}>
          {help}
        </p>
      )}
      {error == null || error === "" ? null : (
        <p className={styles.error} id={frame.errorId}>
          <Icon name="warning" />
          {error}
        </p>
      )}
    </div>
  );
}
