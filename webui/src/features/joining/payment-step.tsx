import { useEffect, useRef, type FormEvent } from "react";
import { Alert } from "@/components/alert/alert";
import { Button } from "@/components/button/button";
import { CardForm } from "@/components/card-form/card-form";
import { CoverPledgeFee } from "@/components/card-fee/cover-fee";
import { PaymentErrorBox } from "@/components/card-form/payment-error-box";
import paymentTexts from "@/messages/en/joining-payment.json";
import { chargesFrom, dayOfMonth } from "@/lib/payments/billing-day";
import type { CardFormHandle } from "@/lib/payments/card-form-handle";
import { formatCents, formatDate, formatFullCents } from "@/lib/text/format";
import { rich, translator } from "@/lib/text/messages";
import type { JoinDraftState } from "./join-draft";
import type { Joined } from "./woven-in";
import { useJoinPayment } from "./use-join-payment";
import styles from "./joining.module.css";

const t = translator(paymentTexts);

/** Step 3: the card, with amount and date of the charge above it. */
export function PaymentStep({
  form,
  dollars,
  today,
  onHeld,
  onJoined,
}: {
  readonly form: JoinDraftState;
  readonly dollars: number;
  readonly today: string;
  /** Called while a payment is running, unanswered or completed: nothing may change then. */
  readonly onHeld: (held: boolean) => void;
  readonly onJoined: (joined: Joined) => void;
}) {
  const cardForm = useRef<CardFormHandle>(null);
  const charges = chargesFrom(today, form.draft.billingDay);
  const { stage, failure, locked, pay } = useJoinPayment(form, (accepted) => {
    const laterOn = charges.first === today ? null : charges.first;
    onJoined({ ...accepted, laterOn, person: form.draft });
  });
  const held = locked || stage !== "open";
  useEffect(() => {
    onHeld(held);
    return () => onHeld(false);
  }, [held, onHeld]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (cardForm.current === null) return;
    const { firstname, lastname, email } = form.draft;
    void pay(cardForm.current, { name: `${firstname.trim()} ${lastname.trim()}`, email: email.trim() });
  };
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <ChargeNotice charges={charges} dollars={dollars} today={today} />
      <CoverPledgeFee
        covers={form.draft.coversFeeOf === "" ? null : Number(form.draft.coversFeeOf)}
        disabled={held}
        dollars={dollars}
        onChange={(pledged, covered) =>
          form.change({
            contribution: String(pledged),
            coversFeeOf: covered === null ? "" : String(covered),
          })
        }
      />
      <CardForm amountCents={dollars * 100} locked={held} mode="subscription" ref={cardForm} />
      <PaymentErrorBox failure={failure} />
      <Button
        block
        busy={stage === "processing" ? t("processing") : false}
        icon="card"
        size="lg"
        type="submit"
      >
        {t("join")}
      </Button>
      <p className={styles.below}>{t("agree", { amount: formatCents(dollars * 100) })}</p>
    </form>
  );
}

function ChargeNotice({
  dollars,
  charges,
  today,
}: {
  readonly dollars: number;
  readonly charges: ReturnType<typeof chargesFrom>;
  readonly today: string;
}) {
  const now = new Date(today);
  const day = dayOfMonth(charges.first);
  const text = t(charges.first === today ? "notice.today" : "notice.later", {
    full: formatFullCents(dollars * 100),
    amount: formatCents(dollars * 100),
    first: formatDate(charges.first, now),
    next: formatDate(charges.next, now),
    day,
  });
  return (
    <Alert kind="info">
      <p>
        {rich(text, { b: (inner) => <strong>{inner}</strong> })}
        {day > 28 ? ` ${t("notice.short-month")}` : null}
      </p>
    </Alert>
  );
}
