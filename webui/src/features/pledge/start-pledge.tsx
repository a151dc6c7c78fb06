import { useEffect, useRef, useState, type FormEvent } from "react";
import { Alert } from "@/components/alert/alert";
import { Button } from "@/components/button/button";
import { CardForm } from "@/components/card-form/card-form";
import { PaymentErrorBox } from "@/components/card-form/payment-error-box";
import { CoverPledgeFee } from "@/components/card-fee/lazy-cover-fee";
import { MoneyInput } from "@/components/money-input/money-input";
import { RadioCards } from "@/components/radio-cards/radio-cards";
import membershipTexts from "@/messages/en/membership.json";
import { chargesFrom, type BillingDay } from "@/lib/payments/billing-day";
import type { CardFormHandle } from "@/lib/payments/card-form-handle";
import { formatDate, formatFullCents } from "@/lib/text/format";
import { rich, translator } from "@/lib/text/messages";
import { pledgeFaultText, readPledge } from "@/lib/payments/pledge-amount";
import { useServerDay } from "@/lib/models/use-server-day";
import { useMemberArea } from "@/lib/member/member-context";
import { pledgeDollarsDefault, quickDollars } from "@/rules.json";
import { billingDayCards } from "./billing-day-cards";
import { useStartPledge } from "./use-start-pledge";
import styles from "./pledge.module.css";

const t = translator(membershipTexts);

/** Card and amount for a pledge that was never confirmed or has ended. */
export function StartPledge({ onCancel }: { readonly onCancel: () => void }) {
  const { member } = useMemberArea();
  const [typed, setTyped] = useState(String(member.subscriptionAmount || pledgeDollarsDefault));
  const [covers, setCovers] = useState<number | null>(null);
  const [day, setDay] = useState<BillingDay>(member.billingDay ?? "current");
  const cardForm = useRef<CardFormHandle>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  const { dollars } = readPledge(typed);
  const { stage, failure, locked, pay } = useStartPledge(dollars ?? 0, day);
  const today = useServerDay();
  const held = locked || stage !== "open";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (cardForm.current === null || dollars === null) return;
    const name = `${member.firstname} ${member.lastname}`;
    void pay(cardForm.current, { name, email: member.email });
  };
  if (stage === "done") return null;
  return (
    <form className={styles.start} noValidate onSubmit={submit} ref={form}>
      <fieldset className={styles.choice} disabled={held}>
        <MoneyInput
          error={pledgeFaultText(typed === "" ? "0" : typed)}
          label={t("contribution.label")}
          onChange={(value) => {
            setTyped(value);
            setCovers(null);
          }}
          per={t("contribution.per")}
          picks={quickDollars}
          picksLabel={t("contribution.picks")}
          small
          value={typed}
        />
        <RadioCards
          cards={billingDayCards(today, null, [])}
          legend={t("start.day")}
          onChange={setDay}
          value={day}
        />
      </fieldset>
      {dollars === null ? null : (
        <CoverPledgeFee
          covers={covers}
          disabled={held}
          dollars={dollars}
          onChange={(pledged, covered) => {
            setTyped(String(pledged));
            setCovers(covered);
          }}
        />
      )}
      {dollars === null ? null : <StartNotice day={day} dollars={dollars} today={today} />}
      <CardForm amountCents={(dollars ?? 0) * 100} locked={held} mode="subscription" ref={cardForm} />
      <PaymentErrorBox failure={failure} />
      <div className="row">
        <Button
          busy={stage === "processing" ? t("processing") : false}
          disabled={dollars === null}
          icon="card"
          type="submit"
        >
          {t("start")}
        </Button>
        <Button disabled={held} kind="quiet" onClick={onCancel}>
          {t("cancel")}
        </Button>
      </div>
    </form>
  );
}

function StartNotice({
  dollars,
  day,
  today,
}: {
  readonly dollars: number;
  readonly day: BillingDay;
  readonly today: string;
}) {
  const { first, next } = chargesFrom(today, day);
  const now = new Date(today);
  const text = t(first === today ? "start.notice" : "start.notice-later", {
    amount: formatFullCents(dollars * 100),
    first: formatDate(first, now),
    next: formatDate(next, now),
  });
  return (
    <Alert kind="info">
      <p>{rich(text, { b: (inner) => <strong>{inner}</strong> })}</p>
    </Alert>
  );
}
