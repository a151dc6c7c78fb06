import { useEffect, useRef, type FormEvent, type ReactNode } from "react";
import { Link, useNavigate } from "react-router-dom";
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
import { paths } from "@/lib/page/paths";
import type { JoinDraftState } from "./join-draft";
import { WovenIn } from "./woven-in";
import { useJoinPayment } from "./use-join-payment";
import styles from "./joining.module.css";

const t = translator(paymentTexts);

// Spec §9: delay before the dashboard opens.
const REDIRECT_MS = 3000;

/** Step 3: the card, with amount and date of the charge above it. */
export function PaymentStep({
  form,
  dollars,
  today,
  onHeld,
  firstVote,
}: {
  readonly form: JoinDraftState;
  readonly dollars: number;
  readonly today: string;
  /** Called while a payment is running, unanswered or completed: nothing may change then. */
  readonly onHeld: (held: boolean) => void;
  /** What the new member may do first. */
  readonly firstVote: ReactNode;
}) {
  const cardForm = useRef<CardFormHandle>(null);
  const { stage, failure, locked, pay, pending } = useJoinPayment(form);
  const done = stage === "done";
  const held = locked || stage !== "open";
  useEffect(() => {
    onHeld(held);
    return () => onHeld(false);
  }, [held, onHeld]);
  useRedirect(done);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (cardForm.current === null || done) return;
    const { firstname, lastname, email } = form.draft;
    void pay(cardForm.current, { name: `${firstname.trim()} ${lastname.trim()}`, email: email.trim() });
  };
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <ChargeNotice billingDay={form.draft.billingDay} dollars={dollars} today={today} />
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
        className={done ? styles.paid : undefined}
        icon={done ? "check" : "card"}
        size="lg"
        type="submit"
      >
        {done ? t("success") : t("join")}
      </Button>
      {done ? (
        <>
          <p className={styles.done} role="status">
            {pending ? t("success.pending") : t("success.text")}{" "}
            <Link className="link" to={paths.dashboard}>
              {t("success.go")}
            </Link>
          </p>
          {pending ? null : <WovenIn isPaid={chargesFrom(today, form.draft.billingDay).first === today} person={form.draft}>{firstVote}</WovenIn>}
        </>
      ) : (
        <p className={styles.below}>{t("agree", { amount: formatCents(dollars * 100) })}</p>
      )}
    </form>
  );
}

function ChargeNotice({
  dollars,
  billingDay,
  today,
}: {
  readonly dollars: number;
  readonly billingDay: JoinDraftState["draft"]["billingDay"];
  readonly today: string;
}) {
  const charges = chargesFrom(today, billingDay);
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

function useRedirect(when: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!when) return;
    const timer = setTimeout(() => void navigate(paths.dashboard), REDIRECT_MS);
    // Whoever is doing something here is not taken away from it.
    const stay = () => clearTimeout(timer);
    const touches = ["pointerdown", "keydown"] as const;
    for (const touch of touches) window.addEventListener(touch, stay);
    return () => {
      stay();
      for (const touch of touches) window.removeEventListener(touch, stay);
    };
  }, [when, navigate]);
}
