import type { ReactNode, Ref } from "react";
import { Icon } from "@/components/icon/icon";
import { classNames } from "@/lib/ui/class-names";
import styles from "./alert.module.css";

/** A note on the page. It is announced, a danger note at once; that one can take the focus. */
export function Alert({
  kind,
  title,
  children,
  ref,
}: {
  readonly kind: "info" | "warning" | "danger";
  readonly title?: string;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLDivElement>;
}) {
  return (
    <div
      className={classNames(styles.alert, styles[kind])}
      ref={ref ?? null}
      role={kind === "danger" ? "alert" : "status"}
      tabIndex={kind === "danger" ? -1 : undefined}
    >
      <Icon name={kind === "info" ? "info" : "warning"} />
      <div>
        {title === undefined ? null : <b>{title}</b>}
        {children}
      </div>
    </div>
  );
}
