import type { ProjectCard } from "@/api/schema";
import { SampleTag } from "@/components/badge/badge";
import { ButtonLink } from "@/components/button/button";
import { lazyPart } from "@/components/lazy-part/lazy-part";
import { ProgressBar } from "@/components/progress-bar/progress-bar";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Scene } from "@/components/scene/scene";
import { Skeleton } from "@/components/skeleton/skeleton";
import catalogueTexts from "@/messages/en/catalogue.json";
import { useResource } from "@/lib/api/resource";
import { useAllSample } from "@/lib/models/all-sample";
import { paths } from "@/lib/page/paths";
import { amountOf, formatWholeDollars } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { writtenIn } from "@/lib/text/written";
import { classNames } from "@/lib/ui/class-names";
import { useNearViewport } from "@/lib/ui/use-near-viewport";
import { CountryCode, ProjectStatusDot } from "./project-card";
import { byRank } from "./project-rank";
import styles from "./featured-project.module.css";

const t = translator(catalogueTexts);

const FirstSquares = lazyPart(
  async () => (await import("./first-squares")).FirstSquares,
  <div className="waiting" />,
);

/** One project beneath the headline: what it is, and what of its money is spent; else what squares could pay. */
export function FeaturedProject() {
  const [ref, near] = useNearViewport<HTMLElement>();
  const projects = useResource("/projects", near);
  if (projects.data?.length === 0) return <FirstSquares />;
  return (
    <section aria-labelledby="featured-title" className={classNames("below wrap", projects.data === null && "scripted", styles.featured)} ref={ref}>
      <ResourceView skeleton={<Waiting />} state={projects} what={t("projects.failed")}>
        {(all) => byRank(all).slice(0, 1).map((project) => <Featured key={project.id} project={project} />)}
      </ResourceView>
    </section>
  );
}

function Featured({ project }: { readonly project: ProjectCard }) {
  const allSample = useAllSample();
  const used = amountOf(project.capitalUsedCents, formatWholeDollars);
  const goal = project.fundingGoalCents ?? 0;
  return (
    <article className={styles.inner}>
      <Scene category={project.category} className={styles.picture} image={project.imageUrl} subject={project.title} />
      <div className={styles.text}>
        <p className={styles.tags}>
          <ProjectStatusDot status={project.status} />
          {project.location === null ? null : <CountryCode code={project.location} />}
          {project.sample && !allSample ? <SampleTag /> : null}
        </p>
        <h2 id="featured-title" {...writtenIn(project, "title")}>{project.title}</h2>
        <p className="lead" {...writtenIn(project, "summary")}>{project.summary}</p>
        {goal === 0 ? null : (
          <ProgressBar
            label={t("project.used")}
            max={goal}
            text={t("featured.used", { used, goal: formatWholeDollars(goal) })}
            tone="success"
            value={project.capitalUsedCents}
          />
        )}
        <p>
          <ButtonLink arrow kind="line" to={paths.project(project.slug)}>
            {t(project.capitalUsedCents > 0 ? "featured.go" : "view-project")}
          </ButtonLink>
        </p>
      </div>
    </article>
  );
}

function Waiting() {
  return (
    <div className={styles.inner}>
      <Skeleton shape="picture" />
      <div className={styles.text}>
        <h2 aria-hidden="true" id="featured-title">
          <Skeleton shape="title" />
        </h2>
        <Skeleton shape="block" />
      </div>
    </div>
  );
}
