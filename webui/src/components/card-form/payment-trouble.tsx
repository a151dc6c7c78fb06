import { useEffect, useRef } from "react";
import { Alert } from "@/components/alert/alert";
import cardTexts from "@/messages/en/card-form.json";
import { translator } from "@/lib/text/messages";
import type { PaymentTrouble } from "@/lib/payments/use-card-payment";

const t = translator(cardTexts);

/** The red box above the button (spec §8); it takes the focus when it appears. */
export function PaymentTroubleBox({ trouble }: { readonly trouble: PaymentTrouble | null }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (trouble !== null) box.current?.focus();
  }, [trouble]);
  if (trouble === null) return null;
  const [title, text] = wording(trouble);
  return (
    <Alert kind="danger" ref={box} title={title}>
      {text === null ? null : <p>{text}</p>}
    </Alert>
  );
}

function wording({ kind, message }: PaymentTrouble): readonly [string, string | null] {
  if (kind === "unanswered") return [t("trouble.unanswered"), t("trouble.unanswered-text")];
  return [message, kind === "declined" ? t("trouble.declined") : null];
}
