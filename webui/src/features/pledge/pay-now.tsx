import { Button } from "@/components/button/button";
import { PaymentErrorBox } from "@/components/card-form/payment-error-box";
import { useStoredCard } from "@/components/card-form/use-stored-card";
import membershipTexts from "@/messages/en/membership.json";
import { apiSend } from "@/lib/api/api-client";
import { useMemberArea } from "@/lib/member/member-context";
import { newIdempotencyKey, type PaymentAnswer } from "@/lib/payments/payment-answer";
import { useCardPayment, type CardPayment } from "@/lib/payments/use-card-payment";
import { translator } from "@/lib/text/messages";
import { notify } from "@/lib/ui/notify";
import { usePayNowText } from "./use-pay-now-text";
import styles from "./pledge.module.css";

const t = translator(membershipTexts);

/** Pays a charge that failed with the card that the payment provider has. */
export function PayNow() {
  const { member, reload } = useMemberArea();
  const { card, dialog } = useStoredCard();
  const { stage, failure, pay } = usePayNow();
  const text = usePayNowText();
  const billing = { name: `${member.firstname} ${member.lastname}`, email: member.email };
  return (
    <>
      {failure === null ? null : (
        <div className={styles.failure}>
          <PaymentErrorBox failure={failure} />
        </div>
      )}
      <Button
        busy={stage === "open" ? false : t("processing")}
        onClick={() => void pay(card, billing).then(reload)}
        size="sm"
      >
        {text}
      </Button>
      {dialog}
    </>
  );
}

function usePayNow(): CardPayment {
  return useCardPayment({
    makeBody: () => ({}),
    send: (_, key) => charge(key),
    settle: async ({ clientSecret }, card) => {
      if (clientSecret !== undefined) {
        const refused = await card.confirm(clientSecret);
        if (refused !== null) return refused;
        // Reads from the provider that what the bank has confirmed is paid.
        const again = await charge(newIdempotencyKey());
        if (again.clientSecret !== undefined) return t("start.refused");
      }
      notify.success(t("pledge.paid"));
      return null;
    },
  });
}

function charge(idempotencyKey: string): Promise<PaymentAnswer> {
  return apiSend("POST /user/pledge/pay", undefined, { idempotencyKey });
}
