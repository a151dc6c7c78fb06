import type { StatementLine, User } from "@/api/schema";
import { SvgArt } from "@/components/svg-art/svg-art";
import { ownTile } from "@/lib/member/own-tile";
import { amountOf, formatCents, formatMonth, formatMonthLabel } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { classNames } from "@/lib/ui/class-names";
import yearTexts from "@/messages/en/year.json";
import styles from "./year-cloth.module.css";

const t = translator(yearTexts);
const MONTHS = Array.from({ length: 12 }, (_, month) => String(month + 1).padStart(2, "0"));
const WARP = Array.from({ length: 8 }, (_, thread) => 6 + thread * 12.5);

/** Twelve squares: the member's own in each month in which they gave, bare warp in the others. */
export function YearCloth({
  year,
  member,
  contributions,
}: {
  readonly year: string;
  readonly member: Pick<User, "firstname" | "lastname">;
  readonly contributions: readonly StatementLine[];
}) {
  const given = new Map<string, number>();
  for (const { date, amountCents } of contributions) {
    given.set(date.slice(0, 7), (given.get(date.slice(0, 7)) ?? 0) + amountCents);
  }
  const whole = [...given.values()].reduce((sum, cents) => sum + cents, 0);
  return (
    <section aria-labelledby="cloth" className={styles.year}>
      <ol className={styles.cloth}>
        {MONTHS.map((number, place) => {
          const month = `${year}-${number}`;
          const cents = given.get(month) ?? 0;
          const words = { month: formatMonth(month), amount: formatCents(cents) };
          return (
            <li className={classNames(cents > 0 && styles.woven)} key={month}>
              <SvgArt inner={cents > 0 ? turned(ownTile(member), place) : bareWarp()} viewBox="0 0 100 100" />
              <span className="vh">{t(cents > 0 ? "month" : "month.none", words)}</span>
              <span aria-hidden="true" className={styles.label}>
                {formatMonthLabel(month)}
                {cents > 0 ? <b className="num">{formatCents(cents)}</b> : null}
              </span>
            </li>
          );
        })}
      </ol>
      <h2 id="cloth">{t("cloth", { count: given.size, amount: amountOf(whole) })}</h2>
    </section>
  );
}

/** Turned by a quarter from month to month, so that the squares make a pattern. */
function turned(tile: string, place: number): string {
  return `<g transform="rotate(${((place % 2) + (Math.floor(place / 6) % 2)) * 90} 50 50)">${tile}</g>`;
}

function bareWarp(): string {
  return WARP.map((x) => `<path d="M${x} 0V100" stroke="var(--line-strong)" stroke-width="1.6" opacity=".55"/>`).join("");
}
