import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import type { ProjectPage } from "@/api/schema";
import { tileFile } from "@/art/tiles";
import { SampleTag } from "@/components/badge/badge";
import { Booked } from "@/components/booked/booked";
import { LoadFailure } from "@/components/resource-view/resource-view";
import { Scene } from "@/components/scene/scene";
import pageTexts from "@/messages/en/project-page.json";
import tracingTexts from "@/messages/en/tracing.json";
import { amountOf, formatDate } from "@/lib/text/format";
import { plainText } from "@/lib/text/plain-text";
import { translator } from "@/lib/text/messages";
import { writtenIn } from "@/lib/text/written";
import { artPath, isDrawn, isOfSite, paths } from "@/lib/page/paths";
import { useAnswered } from "@/lib/api/answered";
import { useResource } from "@/lib/api/resource";
import { classNames } from "@/lib/ui/class-names";
import { useToday } from "@/lib/ui/use-today";
import type { Paid } from "./api";
import { PaymentsAbroad } from "./payments-abroad";
import { chaptersOf, stepsOf, type Chapter, type Step, type Update } from "./trace-chapters";
import styles from "./trace-story.module.css";

const t = translator(tracingTexts);
const projectPage = translator(pageTexts);

/** Where somebody's dollars went: each step with its picture, its note from the field, its proof. */
export function TraceStory({
  paid,
  runningCents,
  isOwn,
}: {
  /** What the projects part paid for. */
  readonly paid: readonly Paid[];
  readonly runningCents: number;
  /** Whether the dollars are the reader's own. */
  readonly isOwn: boolean;
}) {
  const state = useResource("/projects");
  return (
    <>
      <LoadFailure state={state} what={t("story.failed")} />
      <ol className={styles.chapters}>
        {chaptersOf(paid, state.data ?? []).map((chapter) => (
          <li className={styles.chapter} key={chapter.account}>
            {chapter.slug === null ? (
              <GrantChapter chapter={chapter} isOwn={isOwn} />
            ) : (
              <ProjectChapter chapter={chapter} isOwn={isOwn} slug={chapter.slug} />
            )}
          </li>
        ))}
      </ol>
      {runningCents === 0 ? null : (
        <p className="muted">{t("story.running", { amount: amountOf(runningCents) })}</p>
      )}
    </>
  );
}

/** Whether all that a story tells is there: until then its height is unknown, and what follows waits. */
export function useStory(paid: readonly Paid[]): boolean {
  const projects = useResource("/projects");
  const pages = chaptersOf(paid, projects.data ?? []).map(({ slug }) =>
    slug === null ? ("/grants" as const) : projectCall(slug),
  );
  // Which pages there are is known a moment after the answer is there.
  return useAnswered(["/projects", ...new Set(pages)]) && projects.status !== "loading";
}

function projectCall(slug: string) {
  return `/projects/${encodeURIComponent(slug)}` as const;
}

/** A chapter whose project has a page, from which its pictures and notes come. */
function ProjectChapter({
  chapter,
  slug,
  isOwn,
}: {
  readonly chapter: Chapter;
  readonly slug: string;
  readonly isOwn: boolean;
}) {
  const state = useResource(projectCall(slug));
  const { data: project } = state;
  return (
    <>
      <ChapterHead chapter={chapter} isOwn={isOwn}>
        <Link className="link" to={paths.project(slug)}>
          {project?.title ?? chapter.name}
        </Link>
        {project?.sample ? <SampleTag /> : null}
      </ChapterHead>
      <LoadFailure state={state} what={t("story.failed")} />
      <ul className={styles.steps}>
        {stepsOf(chapter, project).map((step, place) => (
          <StepCard
            isOwn={isOwn}
            key={step.key}
            picture={project === null ? null : pictureOf(step, project, place)}
            project={project}
            step={step}
          />
        ))}
      </ul>
    </>
  );
}

/** A chapter without a page: a grant or a donation. */
function GrantChapter({ chapter, isOwn }: { readonly chapter: Chapter; readonly isOwn: boolean }) {
  const grant = useResource("/grants").data?.find(({ account }) => account === chapter.account);
  return (
    <>
      <ChapterHead chapter={chapter} isOwn={isOwn}><Booked sample={chapter.sample} written={chapter.name} /></ChapterHead>
      <ul className={styles.steps}>
        {stepsOf(chapter, null).map((step, place) => (
          <StepCard
            isOwn={isOwn}
            key={step.key}
            picture={(place === 0 ? grant?.imageUrl : null) ?? tileOf(step.payments)}
            project={null}
            step={step}
          />
        ))}
      </ul>
    </>
  );
}

function ChapterHead({
  chapter,
  isOwn,
  children,
}: {
  readonly chapter: Chapter;
  readonly isOwn: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles.head}>
      <h3>{children}</h3>
      <p className="num">{t(isOwn ? "story.yours" : "story.of-it", { amount: amountOf(chapter.cents) })}</p>
    </div>
  );
}

function StepCard({
  step,
  picture,
  project,
  isOwn,
}: {
  readonly step: Step;
  /** Null until it is known. */
  readonly picture: string | null;
  readonly project: ProjectPage | null;
  readonly isOwn: boolean;
}) {
  const today = useToday();
  const date = formatDate(step.date, today);
  const { milestone, note } = step;
  const proofs = milestone?.evidence.filter(({ path }) => path !== picture || !isDrawn(path));
  const isTile = picture?.includes("/tile-") ?? false;
  return (
    <li className={styles.step}>
      <div
        className={classNames(styles.art, isTile && styles.tiles)}
        style={isTile ? { backgroundImage: `url("${picture}")` } : undefined}
      >
        {picture === null || isTile ? null : (
          <Scene
            alt={isOfSite(picture) ? "" : (milestone?.title ?? "")}
            category={project?.category ?? ""}
            image={picture}
            subject={project?.title ?? ""}
          />
        )}
      </div>
      <div className={styles.words}>
        <p className={`num ${styles.did}`}>
          {t(didKey(step, isOwn), { amount: amountOf(step.cents) })}
        </p>
        <p className={styles.what}>
          {milestone === null ? (
            t("story.paid-on", { date })
          ) : (
            <>
              <b {...writtenIn(milestone, "title")}>{milestone.title}</b>{" "}
              <span className="muted">
                {t(milestone.completed ? "story.done-on" : "story.paid-on", { date })}
              </span>
            </>
          )}
        </p>
        {note === null || project === null ? null : <Note note={note} slug={project.slug} />}
        {proofs === undefined || proofs.length === 0 ? null : (
          <p>
            {proofs.map(({ path, isImage }) => (
              <a className={`link ${styles.proof}`} href={path} key={path}>
                {t(isImage ? "story.photo" : "story.receipt")}
              </a>
            ))}
          </p>
        )}
        <PaymentsAbroad paid={step.payments} />
        {picture !== null && isDrawn(picture) && !isOfSite(picture) ? (
          <p className="meta">{projectPage("project.drawn")}</p>
        ) : null}
      </div>
    </li>
  );
}

function didKey({ payments }: Step, isOwn: boolean) {
  if (payments.length === 0) return isOwn ? "story.so-far" : "story.of-it-so-far";
  return isOwn ? "story.did" : "story.of-it-did";
}

/** What was written from the field, as far as there is room. */
function Note({ note, slug }: { readonly note: Update; readonly slug: string }) {
  const today = useToday();
  return (
    <blockquote className={styles.note}>
      <p {...writtenIn(note, "content")}>{plainText(note.content)}</p>
      <footer className="meta">
        <Link className="link" to={`${paths.project(slug)}#${note.id}`}>
          {t("story.note", { title: note.title, date: formatDate(note.date, today) })}
        </Link>
      </footer>
    </blockquote>
  );
}

/** A step's own photo; the newest step without one has the project's picture, others a pattern. */
function pictureOf({ milestone, note, payments }: Step, project: ProjectPage, place: number): string {
  const proofs = milestone?.evidence.filter(({ isImage }) => isImage).map(({ path }) => path) ?? [];
  const photos = [...(milestone?.images ?? []), ...proofs, ...(note?.images ?? [])];
  const own = photos.find((one) => !isOfSite(one));
  return own ?? (place === 0 && project.imageUrl ? project.imageUrl : tileOf(payments));
}

function tileOf(payments: readonly Paid[]): string {
  return artPath(tileFile(payments.map(({ account, date }) => `${account} ${date}`).join()));
}
