import { CataloguePage } from "@/features/catalogue/catalogue-page";
import { ProjectGrid } from "@/features/catalogue/project-grid";
import catalogueTexts from "@/messages/en/catalogue.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(catalogueTexts);

export function ProjectsPage() {
  return (
    <>
      <PageMeta description={t("meta.projects-text")} title={t("meta.projects")} />
      <CataloguePage tab="projects">
        <ProjectGrid />
      </CataloguePage>
    </>
  );
}
