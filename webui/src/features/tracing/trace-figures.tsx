import type { MemberTrace } from "@/api/schema";
import tracingTexts from "@/messages/en/tracing.json";
import { classNames } from "@/lib/ui/class-names";
import { amountOf } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { fundSums, totalOf } from "./trace-sums";
import styles from "./trace-view.module.css";

const t = translator(tracingTexts);

/** The four sums, and a sentence that adds them up. */
export function TraceFigures({ trace }: { readonly trace: MemberTrace }) {
  const total = totalOf(fundSums(trace));
  const figures = {
    received: amountOf(total.receivedCents),
    paid: amountOf(total.paidCents),
    waiting: amountOf(total.waitingCents),
    refunded: amountOf(total.refundedCents),
  };
  return (
    <section aria-label={t("title")} className={classNames("field-night on-dark", styles.figures)}>
      <dl>
        {(["received", "paid", "waiting", "refunded"] as const).map((key) => (
          <div key={key}>
            <dt>{t(key)}</dt>
            <dd className="num">{figures[key].text}</dd>
          </div>
        ))}
      </dl>
      <p>{t("adds-up", figures)}</p>
    </section>
  );
}
