import { DonationsView } from "@/features/catalogue/donation-list";
import catalogueTexts from "@/messages/en/catalogue.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(catalogueTexts);

export function DonationsPage() {
  return (
    <>
      <PageMeta description={t("meta.donations-text")} title={t("meta.donations")} />
      <DonationsView />
    </>
  );
}
