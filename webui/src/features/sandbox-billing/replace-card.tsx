import { useRef, type FormEvent } from "react";
import type { User } from "@/api/schema";
import { Button } from "@/components/button/button";
import { CardForm } from "@/components/card-form/card-form";
import { PaymentErrorBox } from "@/components/card-form/payment-error-box";
import sandboxTexts from "@/messages/en/sandbox-billing.json";
import type { CardFormHandle } from "@/lib/payments/card-form-handle";
import { apiSend } from "@/lib/api/api-client";
import { translator } from "@/lib/text/messages";
import { notify } from "@/lib/ui/notify";
import { useCardPayment } from "@/lib/payments/use-card-payment";
import styles from "./sandbox-billing.module.css";

const t = translator(sandboxTexts);

/** Replaces the test card of the pledge; nothing is charged. */
export function ReplaceCard({
  member,
  onChanged,
}: {
  readonly member: User;
  readonly onChanged: () => void;
}) {
  const cardForm = useRef<CardFormHandle>(null);
  const { stage, failure, locked, pay } = useCardPayment({
    makeBody: (paymentMethodId) => paymentMethodId,
    send: (paymentMethodId) => apiSend("PUT /user/pledge", { paymentMethodId }),
    settle: () => {
      notify.success(t("card.done"));
      onChanged();
      return Promise.resolve(null);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (cardForm.current === null) return;
    const name = `${member.firstname} ${member.lastname}`;
    void pay(cardForm.current, { name, email: member.email });
  };
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <h3>{t("card")}</h3>
      <p className="muted">{t("card.text")}</p>
      <CardForm amountCents={100} locked={locked} mode="subscription" ref={cardForm} />
      <PaymentErrorBox failure={failure} />
      <Button busy={stage === "processing" ? t("card.busy") : false} icon="card" type="submit">
        {t("card.go")}
      </Button>
    </form>
  );
}
