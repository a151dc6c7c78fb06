import type { MemberBudget } from "@/api/schema";
import { ScrollBox } from "@/components/scroll-box/scroll-box";
import { Table } from "@/components/table/table";
import planTexts from "@/messages/en/plan.json";
import { formatCents, formatPercent } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { accountName } from "./account-name";
import { fundName } from "./fund-name";
import styles from "./split-compare.module.css";

const t = translator(planTexts);

type Plan = MemberBudget["plan"];
type PlanRow = Plan[number];

/** The plan of a year beside what the books say, for members. */
export function PlanTable({ plan, year }: { readonly plan: Plan; readonly year: number }) {
  const title = t("title", { year: String(year) });
  return (
    <section aria-labelledby="plan" className={styles.split}>
      <h2 id="plan">{title}</h2>
      <p className="muted">{t("text")}</p>
      {(["income", "expenses"] as const).map((section) => (
        <Rows
          key={section}
          rows={plan.filter((row) => row.section === section)}
          title={t(`${section}`)}
        />
      ))}
    </section>
  );
}

function Rows({ rows, title }: { readonly rows: readonly PlanRow[]; readonly title: string }) {
  if (rows.length === 0) return null;
  return (
    <ScrollBox label={title}>
      <Table caption={title} head={[title, t("planned"), t("actual"), t("used")]}>
        {rows.map((row) => (
          <tr key={`${row.account} ${row.fund ?? ""}`}>
            <th scope="row">{nameOf(row)}</th>
            <td data-end="">
              {row.plannedCents === null ? t("none") : formatCents(row.plannedCents)}
            </td>
            <td data-end="">{formatCents(row.actualCents)}</td>
            <td data-end="">{row.usedShare === null ? "–" : formatPercent(row.usedShare)}</td>
          </tr>
        ))}
      </Table>
    </ScrollBox>
  );
}

function nameOf({ account, fund }: PlanRow): string {
  const name = accountName(account);
  return fund === null ? name : t("of-fund", { name, fund: fundName(fund) });
}
