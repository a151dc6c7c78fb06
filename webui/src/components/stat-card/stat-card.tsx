import type { ReactNode } from "react";
import { Button } from "@/components/button/button";
import { Skeleton } from "@/components/skeleton/skeleton";
import { classNames } from "@/lib/ui/class-names";
import type { LoadedResource } from "@/lib/api/resource";
import styles from "./stat-card.module.css";

/** A full-bleed row of figures, aligned with the page edges. */
export function StatRow({ children }: { readonly children: ReactNode }) {
  return <div className={classNames(styles.row, "on-dark")}>{children}</div>;
}

/** A figure on a coloured field; a dash, never 0, if it is unknown. */
export function StatCard({
  label,
  figure,
  suffix,
  field,
  state,
  retryText,
  children,
}: {
  readonly label: string;
  /** Null if unknown. */
  readonly figure: string | null;
  readonly suffix?: string;
  readonly field: "indigo" | "night" | "hibiscus" | "palm";
  readonly state: Pick<LoadedResource<unknown>, "status" | "reload">;
  readonly retryText: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className={classNames(styles.stat, `field-${field}`)}>
      <p>{label}</p>
      <p className={classNames(styles.figure, "num")}>
        {state.status === "loading" ? <Skeleton shape="numeral" /> : (figure ?? "—")}
        {suffix === undefined || state.status !== "ready" ? null : <small> {suffix}</small>}
      </p>
      {state.status === "error" ? (
        <Button kind="line" onClick={state.reload} size="sm">
          {retryText}
        </Button>
      ) : (
        children
      )}
    </div>
  );
}
