import { PaymentThanks } from "@/features/story/payment-thanks";
import pageTexts from "@/messages/en/pages.json";
import { translator } from "@/lib/messages";
import { PageMeta } from "@/lib/page-meta";

const t = translator(pageTexts);

export function PaymentSuccessPage() {
  return (
    <>
      <PageMeta description={t("thanks.meta-text")} index={false} title={t("thanks.meta")} />
      <PaymentThanks />
    </>
  );
}
