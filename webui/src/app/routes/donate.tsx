import { DonateView } from "@/features/donating/donate-page";
import donatingTexts from "@/messages/en/donating.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";
import { usePreload } from "@/lib/ui/use-preload";

const t = translator(donatingTexts);
const loadThanks = () => import("./payment-success");

export function DonatePage() {
  usePreload(loadThanks);
  return (
    <>
      <PageMeta description={t("meta.text")} title={t("meta.title")} />
      <DonateView />
    </>
  );
}
