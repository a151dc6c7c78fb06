import { MissingPage } from "@/features/story/missing-page";
import pageTexts from "@/messages/en/pages.json";
import { translator } from "@/lib/messages";
import { PageMeta } from "@/lib/page-meta";

const t = translator(pageTexts);

export function NotFoundPage() {
  return (
    <>
      <PageMeta description={t("missing.meta-text")} index={false} title={t("missing.meta")} />
      <MissingPage />
    </>
  );
}
