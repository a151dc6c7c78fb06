import { DonateView } from "@/features/donating/donate-page";
import donatingTexts from "@/messages/en/donating.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(donatingTexts);

export function DonatePage() {
  return (
    <>
      <PageMeta description={t("meta.text")} title={t("meta.title")} />
      <DonateView />
    </>
  );
}
