import type { Payment } from "@/api/schema";
import { Card } from "@/components/card/card";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import { Table } from "@/components/table/table";
import sandboxTexts from "@/messages/en/sandbox-billing.json";
import { formatCents, formatDate } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { useResource } from "@/lib/api/resource";
import { useToday } from "@/lib/ui/use-today";
import styles from "./sandbox-billing.module.css";

const t = translator(sandboxTexts);

/** Payments, newest first. */
export function PaymentTable() {
  return (
    <Card className={styles.card} label={t("payments")}>
      <h2>{t("payments")}</h2>
      <ResourceView
        skeleton={<Skeleton shape="block" />}
        state={useResource("/user/contributions")}
        what={t("payments.failed")}
      >
        {(payments) =>
          payments.length === 0 ? <p>{t("payments.none")}</p> : <Rows payments={payments} />
        }
      </ResourceView>
    </Card>
  );
}

function Rows({ payments }: { readonly payments: readonly Payment[] }) {
  const today = useToday();
  const head = [t("payments.date"), t("payments.amount")];
  return (
    <Table caption={t("payments")} head={head}>
      {payments.map((payment) => (
        <tr key={payment.entry}>
          <th scope="row">
            {formatDate(payment.date, today)}
            <small className={styles.small}>
              {payment.kind === "gift" ? t("kind.gift") : t("kind.pledge")}
            </small>
          </th>
          <td className="num" data-end="">
            {formatCents(payment.amountCents)}
            {payment.returnedCents === 0 ? null : (
              <small className={styles.small}>
                {t("payments.returned")} {formatCents(payment.returnedCents)}
              </small>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
