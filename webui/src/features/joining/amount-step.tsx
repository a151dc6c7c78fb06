import type { FormEvent } from "react";
import { Button } from "@/components/button/button";
import { MoneyInput } from "@/components/money-input/money-input";
import { RadioCards, type RadioCard } from "@/components/radio-cards/radio-cards";
import joiningTexts from "@/messages/en/joining.json";
import { BILLING_DAYS, chargesFrom, type BillingDay } from "@/lib/payments/billing-day";
import { formatDate } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { pledgeFaultText, readPledge } from "@/lib/payments/pledge-amount";
import { pledgeLimits } from "@/lib/payments/pledge-limits";
import { quickDollars } from "@/rules.json";
import type { JoinDraftState } from "./join-draft";
import styles from "./joining.module.css";

const t = translator(joiningTexts);

/** Step 2: the monthly amount and the billing day. */
export function AmountStep({
  cards,
  form: { draft, change },
  today,
  onNext,
}: {
  /** Who pays by hand has no day on which a card is charged. */
  readonly cards: boolean;
  readonly form: JoinDraftState;
  readonly today: string;
  readonly onNext: () => void;
}) {
  const { fault } = readPledge(draft.contribution);
  const shown = pledgeLimits();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fault === null) onNext();
  };
  return (
    <form className={styles.wide} noValidate onSubmit={submit}>
      <MoneyInput
        error={pledgeFaultText(draft.contribution)}
        help={t("amount.help", shown)}
        label={t("amount")}
        onChange={(contribution) => change({ contribution, coversFeeOf: "" })}
        per={t("amount.per")}
        picks={quickDollars}
        picksLabel={t("amount.picks")}
        value={draft.contribution}
      />
      {cards ? (
        <div>
          <RadioCards
            cards={BILLING_DAYS.map((day) => dayCard(day, today))}
            legend={t("day")}
            onChange={(billingDay) => change({ billingDay })}
            value={draft.billingDay}
          />
          <p aria-live="polite" className={styles.note}>
            {votingNote(draft.billingDay, today)}
          </p>
        </div>
      ) : null}
      <Button block disabled={fault === "empty"} size="lg" type="submit">
        {t("next")}
      </Button>
    </form>
  );
}

function dayCard(day: BillingDay, today: string): RadioCard<BillingDay> {
  const date = formatDate(chargesFrom(today, day).first, new Date(today));
  const note = day === "current" ? "day.current-note" : "day.later-note";
  return { value: day, label: t(`day.${day}`), note: t(note, { date }) };
}

function votingNote(day: BillingDay, today: string): string {
  const { first } = chargesFrom(today, day);
  if (first === today) return t("day.vote-now");
  return t("day.vote-later", { date: formatDate(first, new Date(today)) });
}
