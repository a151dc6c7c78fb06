import { useParams } from "react-router-dom";
import { ResourceView } from "@/components/resource-view/resource-view";
import { projectPath } from "@/features/catalogue/api";
import { ProjectWaiting } from "@/features/catalogue/project-hero";
import { ProjectView } from "@/features/catalogue/project-view";
import { NotFound } from "@/components/not-found/not-found";
import catalogueTexts from "@/messages/en/catalogue.json";
import { ApiError } from "@/lib/api/api-client";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";
import { paths } from "@/lib/page/paths";
import { useResource } from "@/lib/api/resource";

const t = translator(catalogueTexts);

export function ProjectPage() {
  const { slug = "" } = useParams();
  const project = useResource(projectPath(slug));
  if (project.error instanceof ApiError && project.error.status === 404) {
    return (
      <div className="waiting">
        <NotFound />
      </div>
    );
  }
  const { data } = project;
  return (
    <>
      <PageMeta
        description={data?.summary ?? t("meta.projects-text")}
        path={data === null ? undefined : paths.project(data.slug)}
        title={data?.title ?? t("meta.projects")}
      />
      <ResourceView
        heading={t("meta.projects")}
        skeleton={<ProjectWaiting slug={slug} />}
        state={project}
        what={t("project.failed")}
      >
        {(loaded) => <ProjectView project={loaded} />}
      </ResourceView>
    </>
  );
}
