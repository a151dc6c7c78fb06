import { SandboxBilling } from "@/features/sandbox-billing/sandbox-billing-page";
import sandboxTexts from "@/messages/en/sandbox-billing.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(sandboxTexts);

export function SandboxBillingPage() {
  return (
    <>
      <PageMeta description={t("meta.text")} index={false} title={t("meta.title")} />
      <SandboxBilling />
    </>
  );
}
