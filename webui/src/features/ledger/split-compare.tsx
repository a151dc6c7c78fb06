import type { Budget, FundLine } from "@/api/schema";
import { ScrollBox } from "@/components/scroll-box/scroll-box";
import { SplitBar, type SplitPart } from "@/components/split-bar/split-bar";
import { Table } from "@/components/table/table";
import ledgerTexts from "@/messages/en/ledger.json";
import { FUNDS, type Fund } from "@/lib/models/config";
import { formatCents, formatPercent } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { fundName } from "./fund-name";
import styles from "./split-compare.module.css";

const t = translator(ledgerTexts);

/** Promised and actual split, as bars and figures. */
export function SplitCompare({
  budget,
  funds,
}: {
  readonly budget: Budget;
  readonly funds: readonly FundLine[];
}) {
  const year = String(budget.year);
  const lines = FUNDS.flatMap((fund) => funds.find((line) => line.fund === fund) ?? []);
  const isUsed = lines.some((line) => line.actualShare > 0);
  return (
    <section aria-labelledby="split" className={styles.split}>
      <h2 id="split">{t("split.title")}</h2>
      <Bar
        lines={lines}
        note={t("split.promised-text")}
        share="promisedShare"
        title={t("split.promised")}
      />
      {isUsed ? (
        <Bar
          lines={lines}
          note={t("split.actual-text")}
          share="actualShare"
          title={t("split.actual", { year })}
        />
      ) : (
        <p className="muted">{t("split.actual-none", { year })}</p>
      )}
      <Figures funds={funds} />
    </section>
  );
}

function Bar({
  title,
  note,
  lines,
  share,
}: {
  readonly title: string;
  readonly note: string;
  readonly lines: readonly FundLine[];
  readonly share: "promisedShare" | "actualShare";
}) {
  const parts: SplitPart[] = lines.map((line) => {
    const key = line.fund as Fund;
    return { key, label: t(`fund.${key}`), percent: line[share] };
  });
  const sentence = Object.fromEntries(
    parts.map(({ key, percent }) => [key, formatPercent(percent)]),
  );
  return (
    <div>
      <h3>{title}</h3>
      <p className="muted">{note}</p>
      <SplitBar label={t("split.sentence", { what: title, ...sentence })} parts={parts} />
    </div>
  );
}

function Figures({ funds }: { readonly funds: readonly FundLine[] }) {
  return (
    <details className={styles.figures}>
      <summary className="link">{t("split.table")}</summary>
      <ScrollBox label={t("split.table")}>
        <Table
          caption={t("split.table")}
          head={[
            t("col.fund"),
            t("split.share-promised"),
            t("split.share-actual"),
            t("col.receivedCents"),
            t("col.spentCents"),
            t("col.heldCents"),
          ]}
        >
          {funds.map((line) => (
            <tr key={line.fund}>
              <th scope="row">{fundName(line.fund)}</th>
              <td data-end="">{formatPercent(line.promisedShare)}</td>
              <td data-end="">{formatPercent(line.actualShare)}</td>
              <td data-end="">{formatCents(line.receivedCents)}</td>
              <td data-end="">{formatCents(line.spentCents)}</td>
              <td data-end="">{formatCents(line.heldCents)}</td>
            </tr>
          ))}
        </Table>
      </ScrollBox>
    </details>
  );
}
