import { useEffect, useRef } from "react";
import { Alert } from "@/components/alert/alert";
import cardTexts from "@/messages/en/card-form.json";
import { translator } from "@/lib/text/messages";
import type { PaymentFailure } from "@/lib/payments/use-card-payment";

const t = translator(cardTexts);

/** The red box above the button (spec §8); it takes the focus when it appears. */
export function PaymentErrorBox({ failure }: { readonly failure: PaymentFailure | null }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failure !== null) box.current?.focus();
  }, [failure]);
  if (failure === null) return null;
  const [title, text] = wording(failure);
  return (
    <Alert kind="danger" ref={box} title={title}>
      {text === null ? null : <p>{text}</p>}
    </Alert>
  );
}

function wording({ kind, message }: PaymentFailure): readonly [string, string | null] {
  if (kind === "unanswered") return [t("trouble.unanswered"), t("trouble.unanswered-text")];
  return [message, kind === "declined" ? t("trouble.declined") : null];
}
