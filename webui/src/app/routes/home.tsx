import homeTexts from "@/messages/en/home.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";
import { HomeSections } from "../home-sections";

const t = translator(homeTexts);

export function HomePage() {
  return (
    <>
      <PageMeta description={t("meta.text")} title={t("meta.title")} />
      <HomeSections withVote />
    </>
  );
}
