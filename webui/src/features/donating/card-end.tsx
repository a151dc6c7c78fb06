import type { RefObject } from "react";
import { Button } from "@/components/button/button";
import { CardForm } from "@/components/card-form/card-form";
import { PaymentErrorBox } from "@/components/card-form/payment-error-box";
import donatingTexts from "@/messages/en/donating.json";
import type { CardFormHandle } from "@/lib/payments/card-form-handle";
import type { CardPayment } from "@/lib/payments/use-card-payment";
import { formatDollarsOfCents } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { giftCentsMin } from "@/rules.json";

const t = translator(donatingTexts);

/** The end of the form of a gift by card. */
export function CardEnd({
  cents,
  form,
  held,
  payment: { failure, stage },
}: {
  /** Null while the amount is wrong. */
  readonly cents: number | null;
  readonly form: RefObject<CardFormHandle | null>;
  readonly held: boolean;
  readonly payment: CardPayment;
}) {
  return (
    <>
      <CardForm amountCents={cents ?? giftCentsMin} locked={held} mode="payment" ref={form} />
      <PaymentErrorBox failure={failure} />
      <Button
        block
        busy={stage === "open" ? false : t("processing")}
        icon="card"
        size="lg"
        type="submit"
      >
        {cents === null ? t("donate") : t("donate-amount", { amount: formatDollarsOfCents(cents) })}
      </Button>
    </>
  );
}
