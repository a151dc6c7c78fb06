import { TeamGroups } from "@/features/catalogue/team-list";
import catalogueTexts from "@/messages/en/catalogue.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(catalogueTexts);

export function TeamPage() {
  return (
    <>
      <PageMeta description={t("meta.team-text")} title={t("meta.team")} />
      <div className="wrap page-head">
        <h1 className="d1">{t("team.title")}</h1>
        <p className="lead">{t("team.lead")}</p>
      </div>
      <div className="wrap">
        <TeamGroups />
      </div>
    </>
  );
}
