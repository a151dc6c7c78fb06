import type { MemberTrace } from "@/api/schema";
import { ScrollBox } from "@/components/scroll-box/scroll-box";
import { Table } from "@/components/table/table";
import tracingTexts from "@/messages/en/tracing.json";
import { formatCents } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { fundSums, totalOf, type FundSums } from "./trace-sums";
import styles from "./trace-view.module.css";

const t = translator(tracingTexts);

/** The same sums for each fund; each line adds up, and so do the columns. */
export function FundTable({ trace }: { readonly trace: MemberTrace }) {
  const sums = fundSums(trace);
  return (
    <section aria-labelledby="by-fund" className={styles.part}>
      <h2 id="by-fund">{t("funds.title")}</h2>
      <ScrollBox label={t("funds.title")}>
        <Table
          caption={t("funds.title")}
          head={[t("funds.fund"), t("received"), t("paid"), t("waiting"), t("refunded")]}
        >
          {sums.map((line) => (
            <tr key={line.fund}>
              <th scope="row">{t(`fund.${line.fund}`)}</th>
              <Amounts line={line} />
            </tr>
          ))}
          <tr className={styles.total}>
            <th scope="row">{t("funds.total")}</th>
            <Amounts line={totalOf(sums)} />
          </tr>
        </Table>
      </ScrollBox>
    </section>
  );
}

function Amounts({ line }: { readonly line: Omit<FundSums, "fund"> }) {
  return (
    <>
      {([line.receivedCents, line.paidCents, line.waitingCents, line.refundedCents] as const).map(
        (cents, column) => (
          // Columns are identified by position.
          // oxlint-disable-next-line react/no-array-index-key
          <td data-end="" key={column}>
            {formatCents(cents)}
          </td>
        ),
      )}
    </>
  );
}
