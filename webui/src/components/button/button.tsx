import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { Link } from "react-router-dom";
import { Icon, type IconName } from "@/components/icon/icon";
import { classNames } from "@/lib/ui/class-names";
import styles from "./button.module.css";

export type Look = {
  readonly kind?: "primary" | "accent" | "ink" | "line" | "quiet" | "danger" | "danger-line";
  readonly size?: "sm" | "md" | "lg";
  readonly block?: boolean;
  readonly icon?: IconName;
  /** An arrow after the text, for the main action of a page. */
  readonly arrow?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
};

type ButtonProps = Look &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children" | "className"> & {
    readonly ref?: Ref<HTMLButtonElement>;
    /** The text while an action runs, for example "Processing...". */
    readonly busy?: string | false | undefined;
  };

/** A button. While busy it shows that, keeps its width and ignores clicks. */
export function Button({ busy = false, type = "button", onClick, ...props }: ButtonProps) {
  const { kind, size, block, icon, arrow, className, children, ...rest } = props;
  const isBusy = busy !== false;
  return (
    <button
      aria-busy={isBusy || undefined}
      className={look(props)}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      type={type}
      {...rest}
    >
      {isBusy ? (
        <>
          <span aria-hidden="true" className={styles.spin} />
          {busy}
        </>
      ) : (
        <Inside {...props} />
      )}
    </button>
  );
}

/** A link within the site that looks like a button. */
export function ButtonLink({ to, ...props }: Look & { readonly to: string }) {
  return (
    <Link className={look(props)} to={to}>
      <Inside {...props} />
    </Link>
  );
}

/** An external or mailto link that looks like a button. */
export function ButtonAnchor({
  href,
  newTab = false,
  ...props
}: Look & { readonly href: string; readonly newTab?: boolean }) {
  return (
    <a
      className={look(props)}
      href={href}
      {...(newTab ? { target: "_blank", rel: "noopener noreferrer" } : {})}
    >
      <Inside {...props} />
    </a>
  );
}

/** A round button with an icon and an accessible name. */
export function IconButton({
  icon,
  label,
  className,
  ...rest
}: {
  readonly icon: IconName;
  readonly label: string;
} & Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children">) {
  return (
    <button
      aria-label={label}
      className={classNames(styles.round, className)}
      type="button"
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
}

function Inside({ icon, arrow = false, children }: Look) {
  return (
    <>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
      {arrow ? <Icon moves name="arrow" /> : null}
    </>
  );
}

function look({ kind = "primary", size = "md", block = false, className }: Look): string {
  return classNames(
    styles.button,
    styles[kind],
    size !== "md" && styles[size],
    block && styles.block,
    className,
  );
}
