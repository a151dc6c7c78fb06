import { useId } from "react";
import { formatDollarsOfCents, formatMonth, formatMonthLabel } from "@/lib/text/format";
import { classNames } from "@/lib/ui/class-names";
import styles from "./area-chart.module.css";

export type MonthPoint = { readonly month: string; readonly cents: number };

const WIDTH = 600;
const RIGHT = 570;
const BASE = 190;
const TOP = 20;
// Width of a digit at the largest font size, used in the narrowest chart.
const DIGIT = 14;

/** A figure per month as an area chart, with the same figures as a table. */
export function AreaChart({
  points,
  label,
  monthWord,
  amountWord,
  unfinished = false,
}: {
  readonly points: readonly MonthPoint[];
  /** What the chart shows, as a sentence with its first and last figure. */
  readonly label: string;
  readonly monthWord: string;
  readonly amountWord: string;
  /** The last month is not over: the way to it is dashed. */
  readonly unfinished?: boolean;
}) {
  const pattern = useId();
  const last = points.at(-1);
  if (last === undefined) return null;
  const top = niceTop(Math.max(...points.map((point) => point.cents)));
  const marks = [0, top / 2, top];
  const left = 8 + DIGIT * Math.max(...marks.map((cents) => formatDollarsOfCents(cents).length));
  const x = (index: number) => left + (index * (RIGHT - left)) / Math.max(1, points.length - 1);
  const y = (cents: number) => BASE - (Math.max(0, cents) / top) * (BASE - TOP);
  const corners = points.map((point, index) => `${x(index)} ${y(point.cents)}`);
  const line = `M${corners.join("L")}`;
  const over = unfinished ? corners.slice(0, -1) : corners;
  // A narrow chart has room for every second label only.
  const step = Math.ceil(points.length / 12);
  return (
    <figure className={styles.box}>
      <svg aria-label={label} className={styles.chart} role="img" viewBox={`0 0 ${WIDTH} 230`}>
        <defs>
          <pattern height="8" id={pattern} patternUnits="userSpaceOnUse" width="5">
            <rect className={styles.thread} height="8" width="3.5" />
          </pattern>
        </defs>
        {marks.map((cents) => (
          <g key={cents}>
            <path className={styles.grid} d={`M${left} ${y(cents)}H${RIGHT}`} />
            <text dy=".35em" textAnchor="end" x={left - 8} y={y(cents)}>
              {formatDollarsOfCents(cents)}
            </text>
          </g>
        ))}
        <path
          d={`${line}L${x(points.length - 1)} ${BASE}L${left} ${BASE}Z`}
          fill={`url(#${pattern})`}
        />
        {over.length === 0 ? null : <path className={styles.line} d={`M${over.join("L")}`} />}
        {unfinished ? (
          <path
            className={classNames(styles.line, styles.unfinished)}
            d={`M${corners.slice(-2).join("L")}`}
          />
        ) : null}
        <circle className={styles.last} cx={x(points.length - 1)} cy={y(last.cents)} r="7" />
        {points.map((point, index) =>
          index % step === 0 ? (
            <text
              className={index % (2 * step) === 0 ? undefined : styles.roomy}
              key={point.month}
              textAnchor="middle"
              x={x(index)}
              y="220"
            >
              {formatMonthLabel(point.month)}
            </text>
          ) : null,
        )}
      </svg>
      <div className="vh">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{monthWord}</th>
              <th scope="col">{amountWord}</th>
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.month}>
                <th scope="row">{formatMonth(point.month)}</th>
                <td>{formatDollarsOfCents(point.cents)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

// The next of 1, 2, 4, 5 or 8 times a power of ten, so that half of it is a round figure too.
function niceTop(cents: number): number {
  if (cents <= 0) return 10_000;
  const power = 10 ** Math.floor(Math.log10(cents));
  return ([1, 2, 4, 5, 8, 10].find((factor) => factor * power >= cents) ?? 10) * power;
}
