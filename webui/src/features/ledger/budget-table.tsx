import { useId, useState } from "react";
import type { Budget } from "@/api/schema";
import { Button } from "@/components/button/button";
import { Skeleton } from "@/components/skeleton/skeleton";
import ledgerTexts from "@/messages/en/ledger.json";
import { formatDollarsOfCents } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { BUDGET_ROWS, type BudgetRowName } from "./api";
import { BudgetRowDetails } from "./budget-details";
import styles from "./budget-table.module.css";

const t = translator(ledgerTexts);

/** The three public rows; contributors can open each of them. */
export function BudgetTable({
  budget,
  member,
}: {
  readonly budget: Budget;
  readonly member: boolean;
}) {
  return (
    <table className={styles.budget}>
      <caption className="vh">{t("budget.caption", { year: String(budget.year) })}</caption>
      <BudgetHead member={member} />
      {BUDGET_ROWS.map((row) => (
        <Row budget={budget} key={row} member={member} row={row} />
      ))}
    </table>
  );
}

/** Placeholder of the table. */
export function BudgetSkeleton() {
  return (
    <table aria-hidden="true" className={styles.budget}>
      <BudgetHead member={false} />
      <tbody>
        {BUDGET_ROWS.map((row) => (
          <tr key={row}>
            <th scope="row">{t(`row.${row}`)}</th>
            <td className="num">
              <Skeleton shape="numeral" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function BudgetHead({ member }: { readonly member: boolean }) {
  return (
    <thead>
      <tr>
        <th scope="col">{t("budget.head")}</th>
        <th scope="col">{t("budget.per-year")}</th>
        {member ? (
          <th scope="col">
            <span className="vh">{t("budget.actions")}</span>
          </th>
        ) : null}
      </tr>
    </thead>
  );
}

function Row({
  budget,
  row,
  member,
}: {
  readonly budget: Budget;
  readonly row: BudgetRowName;
  readonly member: boolean;
}) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const name = t(`row.${row}`);
  const action = t(open ? "row.hide" : "row.show");
  return (
    <tbody className={open ? styles.open : undefined}>
      <tr>
        <th scope="row">{name}</th>
        <td className="num">{formatDollarsOfCents(budget[`${row}Cents`])}</td>
        {member ? (
          <td className={styles.action}>
            <Button
              aria-controls={id}
              aria-expanded={open}
              aria-label={t("row.of", { action, row: name })}
              className={styles.toggle}
              kind="quiet"
              onClick={() => setOpen(!open)}
              size="sm"
            >
              {action}
            </Button>
          </td>
        ) : null}
      </tr>
      {member && open ? (
        <tr className={styles.details} id={id}>
          <td colSpan={3}>
            <BudgetRowDetails row={row} year={budget.year} />
          </td>
        </tr>
      ) : null}
    </tbody>
  );
}
