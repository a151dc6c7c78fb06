import { classNames } from "@/lib/ui/class-names";
import styles from "./icon.module.css";

const SHAPES = {
  arrow: "M4 12h16M13 5l7 7-7 7",
  back: "M20 12H4M11 5l-7 7 7 7",
  card: "M3 6h18v13H3zM3 10h18",
  chat: "M4 4h16v12H11l-5 5v-5H4z",
  check: "M4 12l6 6L20 6",
  close: "M5 5l14 14M19 5L5 19",
  copy: "M9 9h12v12H9zM5 15H3V3h12v2",
  down: "M5 9l7 7 7-7",
  external: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
  info: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 11v6M12 7v.01",
  listen: "M4 10v4h4l5 4V6L8 10zM17 9a4 4 0 0 1 0 6",
  lock: "M5 11h14v10H5zM8 11V7a4 4 0 0 1 8 0v4",
  mail: "M3 6h18v12H3zM3 7l9 7 9-7",
  menu: "M3 7h18M3 12h18M3 17h18",
  retry: "M20 12a8 8 0 1 1-3-6M20 3v5h-5",
  share: "M12 3v12M7 8l5-5 5 5M5 13v8h14v-8",
  user: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 21c1-5 4-7 8-7s7 2 8 7",
  warning: "M12 3L2 20h20zM12 10v4M12 17v.01",
} as const;

export type IconName = keyof typeof SHAPES;

/** An icon. Always used with a text or an accessible name. */
export function Icon({
  name,
  moves = false,
}: {
  readonly name: IconName;
  readonly moves?: boolean;
}) {
  return (
    <svg
      aria-hidden="true"
      className={classNames(styles.icon, moves && styles.moves)}
      data-moves={moves ? "" : undefined}
      viewBox="0 0 24 24"
    >
      <path d={SHAPES[name]} />
    </svg>
  );
}
