import { Link } from "react-router-dom";
import type { ProjectCard as Card } from "@/api/schema";
import { SampleTag, StatusDot } from "@/components/badge/badge";
import { Icon } from "@/components/icon/icon";
import { Scene } from "@/components/scene/scene";
import { Skeleton } from "@/components/skeleton/skeleton";
import catalogueTexts from "@/messages/en/catalogue.json";
import { countryName } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { writtenIn } from "@/lib/text/written";
import { paths } from "@/lib/page/paths";
import type { ProjectStatus } from "./api";
import styles from "./project-card.module.css";

const t = translator(catalogueTexts);

const LEVELS = { Complete: "full", "In Progress": "half", Planning: "none" } as const;

/** The status of a project. */
export function ProjectStatusDot({ status }: { readonly status: ProjectStatus }) {
  return <StatusDot level={LEVELS[status]}>{t(`status.${status}`)}</StatusDot>;
}

/** A country code; the name is in the tooltip and announced. */
export function CountryCode({ code }: { readonly code: string }) {
  return (
    <>
      <span aria-hidden="true" className="code" title={countryName(code)}>
        {code}
      </span>
      <span className="vh">{t("country", { country: countryName(code) })}</span>
    </>
  );
}

/** A project in the grid; the whole card is one link. */
export function ProjectCard({
  project,
  heading: Heading = "h2",
  eager = false,
  tagged = true,
}: {
  readonly project: Card;
  /** Heading level of the title. */
  readonly heading?: "h2" | "h3";
  /** Loads the picture eagerly: the card is in the first view. */
  readonly eager?: boolean;
  /** Whether a sample has its mark; not where the page says that all of it is. */
  readonly tagged?: boolean;
}) {
  return (
    <Link className={styles.card} to={paths.project(project.slug)}>
      <div className={styles.art}>
        <Scene
          category={project.category}
          eager={eager}
          image={project.imageUrl}
          subject={project.title}
        />
      </div>
      <div className={styles.row}>
        <ProjectStatusDot status={project.status} />
        {project.location === null ? null : <CountryCode code={project.location} />}
      </div>
      <Heading className={styles.title} {...writtenIn(project, "title")}>{project.title}</Heading>
      <span className={styles.foot}>
        <span className={styles.go}>
          {t("view-project")} <Icon moves name="arrow" />
        </span>
        {project.sample && tagged ? <SampleTag /> : null}
      </span>
    </Link>
  );
}

/** Placeholder of cards that are loading. */
export function ProjectCardSkeletons({ count }: { readonly count: number }) {
  return (
    <div className={styles.grid}>
      {Array.from({ length: count }, (_, place) => (
        <div key={place}>
          <Skeleton shape="picture" />
          <div className={styles.row}>
            <Skeleton />
          </div>
          <Skeleton shape="title" />
        </div>
      ))}
    </div>
  );
}
