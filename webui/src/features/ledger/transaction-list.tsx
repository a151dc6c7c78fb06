import { useState } from "react";
import { Button } from "@/components/button/button";
import { EmptyState } from "@/components/empty-state/empty-state";
import { ErrorState } from "@/components/error-state/error-state";
import { Skeleton } from "@/components/skeleton/skeleton";
import commonTexts from "@/messages/en/common.json";
import ledgerTexts from "@/messages/en/ledger.json";
import { translator } from "@/lib/text/messages";
import { foldFees } from "./fold-fees";
import { TransactionFilters } from "./transaction-filters";
import { TransactionRow } from "./transaction-row";
import { NO_FILTERS, useTransactions, type Filters } from "./use-transactions";
import styles from "./transactions.module.css";
import view from "./ledger-view.module.css";

const t = translator(ledgerTexts);
const common = translator(commonTexts);

/** All transactions, newest first, with a search. */
export function TransactionList() {
  const [filters, setFilters] = useState<Filters>(NO_FILTERS);
  return (
    <section aria-labelledby="transactions" className={view.part}>
      <h2 id="transactions">{t("tx.title")}</h2>
      <TransactionFilters filters={filters} onChange={setFilters} />
      <Rows filters={filters} />
    </section>
  );
}

function Rows({ filters }: { readonly filters: Filters }) {
  const { status, items, next, loadMore, reload } = useTransactions(filters);
  if (status === "loading") {
    return (
      <>
        <span className="vh" role="status">
          {common("loading")}
        </span>
        <Skeleton shape="block" />
      </>
    );
  }
  if (status === "error") {
    return (
      <ErrorState
        message={common("error.nothing-lost")}
        onRetry={reload}
        retryText={common("try-again")}
        title={t("tx.failed")}
      />
    );
  }
  if (items.length === 0) {
    if (filters !== NO_FILTERS) return <EmptyState small title={t("tx.none-match")} />;
    return (
      <EmptyState small title={t("tx.empty")}>
        <p className="muted">{t("tx.empty-text")}</p>
      </EmptyState>
    );
  }
  const rows = foldFees(items);
  return (
    <>
      <ul className={styles.list}>
        {rows.map((transaction) => (
          <TransactionRow key={transaction.id} transaction={transaction} />
        ))}
      </ul>
      <div className={styles.foot}>
        <p className="muted" role="status">
          {t("tx.count", { count: rows.length })}
        </p>
        {status === "more-error" ? <p role="alert">{t("tx.more-failed")}</p> : null}
        {next === null ? null : (
          <Button busy={status === "loading-more" && t("tx.loading")} kind="line" onClick={loadMore}>
            {t("tx.more")}
          </Button>
        )}
      </div>
    </>
  );
}
