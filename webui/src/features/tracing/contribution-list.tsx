import { useState } from "react";
import { Link } from "react-router-dom";
import type { StatementLine } from "@/api/schema";
import { Button } from "@/components/button/button";
import { ScrollBox } from "@/components/scroll-box/scroll-box";
import { Table } from "@/components/table/table";
import tracingTexts from "@/messages/en/tracing.json";
import { paths } from "@/lib/page/paths";
import { amountOf, formatCents, formatDate } from "@/lib/text/format";
import { LANGUAGE, translator } from "@/lib/text/messages";
import { useToday } from "@/lib/ui/use-today";
import styles from "./trace-view.module.css";

const t = translator(tracingTexts);
const FIRST = 12;

/** The member's contributions, and what their receipts are. */
export function ContributionList({
  contributions,
}: {
  readonly contributions: readonly StatementLine[];
}) {
  const [all, setAll] = useState(false);
  const today = useToday();
  const newestFirst = contributions.toSorted((left, right) => right.date.localeCompare(left.date));
  const shown = all ? newestFirst : newestFirst.slice(0, FIRST);
  return (
    <section aria-labelledby="contributions" className={styles.part}>
      <h2 id="contributions">{t("contributions.title")}</h2>
      <ScrollBox label={t("contributions.title")}>
        <Table
          caption={t("contributions.title")}
          head={[t("contributions.date"), t("contributions.amount")]}
        >
          {shown.map((line, index) => (
            // Two contributions of a day without a reference are identical.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={`${line.reference}-${index}`}>
              <th scope="row">
                {formatDate(line.date, today)}
                <div className={styles.reference}>
                  {kindWord(line.kind)}{" "}
                  <Link className="link" to={paths.entry(line.reference)}>
                    {line.reference}
                  </Link>
                </div>
              </th>
              <td data-end="">
                {formatCents(line.amountCents)}
                {line.refundedCents === 0 ? null : (
                  <div className={styles.reference}>
                    {t("contributions.refunded", { amount: amountOf(line.refundedCents) })}
                  </div>
                )}
              </td>
            </tr>
          ))}
        </Table>
      </ScrollBox>
      {shown.length === contributions.length ? null : (
        <Button className={styles.more} kind="line" onClick={() => setAll(true)} size="sm">
          {t("contributions.all", { count: contributions.length })}
        </Button>
      )}
      <aside aria-label={t("note.title")} className={styles.note}>
        <p>{t("note")}</p>
        {LANGUAGE === "fr" ? null : <p lang="fr">{t("note.fr")}</p>}
      </aside>
    </section>
  );
}

function kindWord(kind: string): string {
  return t(kind === "pledge" || kind === "gift" ? `kind.${kind}` : "kind.other");
}
