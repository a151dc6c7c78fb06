import { PaymentThanks } from "@/features/donating/payment-thanks";
import pageTexts from "@/messages/en/pages.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(pageTexts);

export function PaymentSuccessPage() {
  return (
    <>
      <PageMeta description={t("thanks.meta-text")} index={false} title={t("thanks.meta")} />
      <PaymentThanks />
    </>
  );
}
