import { Link } from "react-router-dom";
import { ResourceView } from "@/components/resource-view/resource-view";
import catalogueTexts from "@/messages/en/catalogue.json";
import { classNames } from "@/lib/ui/class-names";
import { translator } from "@/lib/text/messages";
import { useAllSample } from "@/lib/models/all-sample";
import { paths } from "@/lib/page/paths";
import { useResource } from "@/lib/api/resource";
import { useNearViewport } from "@/lib/ui/use-near-viewport";
import { ProjectCard, ProjectCardSkeletons } from "./project-card";
import { byRank } from "./project-rank";
import styles from "./project-card.module.css";

const t = translator(catalogueTexts);
const COUNT = 3;

/** Three more projects on the home page, after the one beneath the headline. */
export function ProjectStrip() {
  const [ref, near] = useNearViewport<HTMLElement>();
  const projects = useResource("/projects", near);
  const allSample = useAllSample();
  if (projects.data !== null && projects.data.length < 2) return null;
  return (
    <section aria-labelledby="strip-title" className={classNames("below section", projects.data === null && "scripted")} ref={ref}>
      <div className="wrap">
        <div className={classNames("row", "between", styles.head)}>
          <h2 id="strip-title">{t("strip.title")}</h2>
          <Link className="link" to={paths.projects}>
            {t("strip.all")}
          </Link>
        </div>
        <ResourceView
          skeleton={<ProjectCardSkeletons count={COUNT} />}
          state={projects}
          what={t("projects.failed")}
        >
          {(all) => (
            <ul className={classNames(styles.grid, styles.strip)}>
              {byRank(all).slice(1, 1 + COUNT).map((project) => (
                <li key={project.id}>
                  <ProjectCard heading="h3" project={project} tagged={!allSample} />
                </li>
              ))}
            </ul>
          )}
        </ResourceView>
      </div>
    </section>
  );
}
