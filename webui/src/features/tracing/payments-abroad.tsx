import { foreignText, inBothCurrencies } from "@/lib/text/foreign";
import { formatDate } from "@/lib/text/format";
import { useToday } from "@/lib/ui/use-today";
import type { Paid } from "./api";
import styles from "./trace-view.module.css";

/** The whole payments behind somebody's part, where the payee received another currency. */
export function PaymentsAbroad({ paid }: { readonly paid: readonly Paid[] }) {
  const today = useToday();
  return paid.map((payment, index) =>
    payment.foreign ? (
      // Two payments of a day may be identical.
      // oxlint-disable-next-line react/no-array-index-key
      <span className={`meta ${styles.abroad}`} key={`${payment.date}-${index}`}>
        {foreignText("part-of", {
          payment: inBothCurrencies(payment.wholeCents ?? 0, payment.foreign),
          date: formatDate(payment.date, today),
        })}
      </span>
    ) : null,
  );
}
