import { useRef, type FormEvent } from "react";
import { Button } from "@/components/button/button";
import { CardForm } from "@/components/card-form/card-form";
import { PaymentTroubleBox } from "@/components/card-form/payment-trouble";
import sandboxTexts from "@/messages/en/sandbox-billing.json";
import type { CardDesk } from "@/lib/card-desk";
import type { Member } from "@/lib/member";
import { translator } from "@/lib/messages";
import { notify } from "@/lib/notify";
import { useCardPayment } from "@/lib/use-card-payment";
import { replaceCard } from "./api";
import styles from "./sandbox-billing.module.css";

const t = translator(sandboxTexts);

/** Puts another test card behind the pledge; nothing is charged. */
export function ReplaceCard({
  member,
  onChanged,
}: {
  readonly member: Member;
  readonly onChanged: () => void;
}) {
  const desk = useRef<CardDesk>(null);
  const { stage, trouble, locked, pay } = useCardPayment({
    makeBody: (paymentMethodId) => paymentMethodId,
    send: async (paymentMethodId) => {
      await replaceCard(paymentMethodId);
      return { requiresAction: false, clientSecret: null, token: null };
    },
    settle: () => {
      notify.success(t("card.done"));
      onChanged();
      return Promise.resolve(null);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (desk.current === null) return;
    const name = `${member.firstname} ${member.lastname}`;
    void pay(desk.current, { name, email: member.email });
  };
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <h3>{t("card")}</h3>
      <p className="muted">{t("card.text")}</p>
      <CardForm amountCents={100} locked={locked} mode="subscription" ref={desk} />
      <PaymentTroubleBox trouble={trouble} />
      <Button busy={stage === "processing" ? t("card.busy") : false} icon="card" type="submit">
        {t("card.go")}
      </Button>
    </form>
  );
}
