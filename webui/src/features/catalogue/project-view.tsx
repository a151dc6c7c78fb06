import { useId, useState } from "react";
import type { ProjectPage } from "@/api/schema";
import { Accordion } from "@/components/accordion/accordion";
import { Alert } from "@/components/alert/alert";
import { SampleTag } from "@/components/badge/badge";
import { Scene } from "@/components/scene/scene";
import { Button } from "@/components/button/button";
import { Icon } from "@/components/icon/icon";
import { RichHtml } from "@/components/rich-html/rich-html";
import pageTexts from "@/messages/en/project-page.json";
import { classNames } from "@/lib/ui/class-names";
import { formatDate } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { isDrawn } from "@/lib/page/paths";
import { originalText, writtenIn } from "@/lib/text/written";
import { useToday } from "@/lib/ui/use-today";
import { CategoryBadge } from "./grant-rows";
import { MeasureList } from "./measure-list";
import { MilestoneList } from "./milestone-list";
import { MoneyCard } from "./money-card";
import { MoneyTrail } from "./money-trail";
import { CountryCode, ProjectStatusDot } from "./project-card";
import { OriginalText } from "@/components/original-text/original-text";
import { ProjectHero } from "./project-hero";
import styles from "./project-view.module.css";

const t = translator(pageTexts);

/** Why the project is late: nothing was heard of it for long, or milestones are overdue. */
function Lateness({ late }: { readonly late: NonNullable<ProjectPage["late"]> }) {
  const today = useToday();
  const sentences = [
    ...(late.silentSince === null
      ? []
      : [t("late.silent", { date: formatDate(late.silentSince, today) })]),
    ...late.overdue.map(({ title, dueOn }) =>
      t("late.overdue", { title, date: formatDate(dueOn, today) }),
    ),
  ];
  return (
    <Alert kind="warning">
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Alert>
  );
}

/** A project: story, cost, progress and updates. */
export function ProjectView({ project }: { readonly project: ProjectPage }) {
  return (
    <article>
      <ProjectHero
        category={project.category}
        picture={project.imageUrl}
        tags={
          <>
            <ProjectStatusDot status={project.status} />
            {project.location === null ? null : <CountryCode code={project.location} />}
            <CategoryBadge category={project.category} />
            {project.sample ? <SampleTag /> : null}
          </>
        }
        title={project.title}
        written={writtenIn(project, "title")}
      />
      <div className={classNames("wrap halves halves-side", styles.body)}>
        {/* First, as on a phone: a page that is still arriving must not push the story down. */}
        <aside className="sticky">
          <MoneyCard project={project} />
        </aside>
        <div>
          <p className={styles.summary} {...writtenIn(project, "summary")}>{project.summary}</p>
          {project.late === null ? null : <Lateness late={project.late} />}
          {project.story === "" ? null : <Story html={project.story} written={writtenIn(project, "story")} />}
          <OriginalText item={project} />
          {project.milestones.length === 0 ? null : (
            <section aria-labelledby="milestones" className={styles.part}>
              <h2 id="milestones">{t("project.milestones")}</h2>
              <MilestoneList
                drawnAs={project.sample ? project.category : null}
                milestones={project.milestones}
              />
            </section>
          )}
          {project.measures.length === 0 ? null : (
            <section aria-labelledby="measures" className={styles.part}>
              <h2 id="measures">{t("measures.title")}</h2>
              <MeasureList measures={project.measures} written={writtenIn(project, "title")} />
            </section>
          )}
          {project.payouts.length === 0 && project.commitment === null ? null : (
            <section aria-labelledby="trail" className={styles.part}>
              <h2 id="trail">{t("trail.title")}</h2>
              <MoneyTrail project={project} />
            </section>
          )}
          {project.updates.length === 0 ? null : <FieldUpdates project={project} />}
        </div>
      </div>
    </article>
  );
}

function Story({
  html,
  written,
}: {
  readonly html: string;
  readonly written: { readonly lang?: string };
}) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <section aria-labelledby="story" className={styles.story}>
      <h2 className="vh" id="story">
        {t("project.story")}
      </h2>
      <div className={classNames(styles.text, !open && styles.short)} id={id}>
        <RichHtml html={html} written={written} />
      </div>
      <Button
        aria-controls={id}
        aria-expanded={open}
        className={classNames(styles.expand, open && styles.turned)}
        kind="quiet"
        onClick={() => setOpen(!open)}
      >
        {open ? t("project.collapse") : t("project.expand")}
        <Icon name="down" />
      </Button>
    </section>
  );
}

function FieldUpdates({ project }: { readonly project: ProjectPage }) {
  const today = useToday();
  const [latest] = project.updates;
  return (
    <section aria-labelledby="updates" className={styles.part}>
      <h2 id="updates">{t("project.updates")}</h2>
      <Accordion
        items={project.updates.map((update) => ({
          id: update.id,
          title: (
            <>
              <span {...writtenIn(update, "title")}>{update.title}</span>
              <span className={classNames("meta", styles.author)}>
                {t("project.update-meta", {
                  author: update.author,
                  date: formatDate(update.date, today),
                })}
              </span>
            </>
          ),
          body: (
            <>
              {project.sample && (update.images ?? []).every(isDrawn) ? (
                <figure className={styles.drawn}>
                  <Scene
                    category={project.category}
                    image={update.images?.find(isDrawn)}
                    subject={originalText(update, "title")}
                  />
                  <figcaption className="meta">{t("project.drawn")}</figcaption>
                </figure>
              ) : null}
              <RichHtml html={update.content} written={writtenIn(update, "content")} />
              {update.images
                ?.filter((image) => !isDrawn(image))
                .map((image) => (
                  <img key={image} className={styles.photo} src={image} alt={update.title} loading="lazy" />
                ))}
              {update.place === undefined ? null : (
                <p className="meta">{t("project.place", { place: update.place })}</p>
              )}
              <OriginalText item={update} />
            </>
          ),
        }))}
        open={latest === undefined ? [] : [latest.id]}
      />
    </section>
  );
}
