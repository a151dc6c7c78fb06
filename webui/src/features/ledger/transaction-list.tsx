import { useState } from "react";
import { EmptyState } from "@/components/empty-state/empty-state";
import { PaidList } from "@/components/paid-list/paid-list";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import ledgerTexts from "@/messages/en/ledger.json";
import { translator } from "@/lib/text/messages";
import { useToday } from "@/lib/ui/use-today";
import { foldFees } from "./fold-fees";
import { TransactionFilters } from "./transaction-filters";
import { transactionRow } from "./transaction-row";
import { NO_FILTERS, useTransactions, type Filters, type Shown } from "./use-transactions";
import view from "./ledger-view.module.css";

const t = translator(ledgerTexts);

/** All transactions, newest first, with a search. */
export function TransactionList() {
  const [filters, setFilters] = useState<Filters>(NO_FILTERS);
  return (
    <section aria-labelledby="transactions" className={view.part}>
      <h2 id="transactions">{t("tx.title")}</h2>
      <TransactionFilters filters={filters} onChange={setFilters} />
      <Transactions filters={filters} />
    </section>
  );
}

function Transactions({ filters }: { readonly filters: Filters }) {
  const { loadMore, ...state } = useTransactions(filters);
  return (
    <ResourceView skeleton={<Skeleton shape="block" />} state={state} what={t("tx.failed")}>
      {(shown) =>
        shown.items.length > 0 ? (
          <Rows {...shown} loadMore={loadMore} />
        ) : (
          <EmptyState small title={t(filters === NO_FILTERS ? "tx.empty" : "tx.none-match")}>
            {filters === NO_FILTERS ? <p className="muted">{t("tx.empty-text")}</p> : null}
          </EmptyState>
        )
      }
    </ResourceView>
  );
}

function Rows({ items, next, more, loadMore }: Shown & { readonly loadMore: () => void }) {
  const today = useToday();
  const rows = foldFees(items).map((transaction) => transactionRow(transaction, today));
  return (
    <PaidList
      more={{
        shown: t("tx.count", { count: rows.length }),
        label: t("tx.more"),
        load: next === null ? null : loadMore,
        busy: more === "loading" && t("tx.loading"),
        failed: more === "failed" && t("tx.more-failed"),
      }}
      rows={rows}
    />
  );
}
