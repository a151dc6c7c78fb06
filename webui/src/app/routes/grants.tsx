import { CataloguePage } from "@/features/catalogue/catalogue-page";
import { GrantRows } from "@/features/catalogue/grant-rows";
import catalogueTexts from "@/messages/en/catalogue.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(catalogueTexts);

export function GrantsPage() {
  return (
    <>
      <PageMeta description={t("meta.grants-text")} title={t("meta.grants")} />
      <CataloguePage tab="grants">
        <GrantRows />
      </CataloguePage>
    </>
  );
}
