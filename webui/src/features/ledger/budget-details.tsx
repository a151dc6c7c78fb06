import type { AccountSum, BudgetRow } from "@/api/schema";
import { ResourceView } from "@/components/resource-view/resource-view";
import { ScrollBox } from "@/components/scroll-box/scroll-box";
import { Skeleton } from "@/components/skeleton/skeleton";
import ledgerTexts from "@/messages/en/ledger.json";
import { formatCents } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { useResource } from "@/lib/api/resource";
import { accountName } from "./account-name";
import type { BudgetRowName } from "./api";
import { fundName } from "./fund-name";
import styles from "./budget-details.module.css";

const t = translator(ledgerTexts);

const COLUMNS = {
  available: ["openingCents", "receivedCents", "transferredCents", "cents"],
  allocated: ["spentCents", "heldCents", "cents"],
  unallocated: ["availableCents", "allocatedCents", "cents"],
} as const;

/** Details of a budget row, by fund and by account. */
export function BudgetRowDetails({
  row,
  year,
}: {
  readonly row: BudgetRowName;
  readonly year: number;
}) {
  const details = useResource(`/ledger/budget/${row}?year=${year}`);
  return (
    <div className={styles.details}>
      <p className="muted">{t(`row.${row}.text`)}</p>
      <ResourceView skeleton={<Skeleton shape="block" />} state={details} what={t("row.failed")}>
        {(data) => (
          <div className={styles.tables}>
            <ByFund funds={data.funds} row={row} />
            {data.accounts?.length ? <ByAccount accounts={data.accounts} /> : null}
          </div>
        )}
      </ResourceView>
    </div>
  );
}

function ByFund({
  funds,
  row,
}: {
  readonly funds: BudgetRow["funds"];
  readonly row: BudgetRowName;
}) {
  const columns = COLUMNS[row];
  return (
    <ScrollBox label={t("by-fund")}>
      <table className={styles.table}>
        <caption>{t("by-fund")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("col.fund")}</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {t(`col.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {funds.map((line) => (
            <tr key={line.fund}>
              <th scope="row">{fundName(line.fund)}</th>
              {columns.map((column) => (
                <td key={column}>{formatCents(line[column] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function ByAccount({ accounts }: { readonly accounts: readonly AccountSum[] }) {
  return (
    <ScrollBox label={t("by-account")}>
      <table className={styles.table}>
        <caption>{t("by-account")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("accounts.name")}</th>
            <th scope="col">{t("accounts.amount")}</th>
          </tr>
        </thead>
        <tbody>
          {accounts.map(({ account, cents }) => (
            <tr key={account}>
              <th scope="row">{accountName(account)}</th>
              <td>{formatCents(cents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
