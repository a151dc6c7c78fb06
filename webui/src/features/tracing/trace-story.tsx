import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import type { ProjectPage } from "@/api/schema";
import { SampleTag } from "@/components/badge/badge";
import { Scene } from "@/components/scene/scene";
import commonTexts from "@/messages/en/common.json";
import tracingTexts from "@/messages/en/tracing.json";
import { formatCents, formatDate } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { useResource } from "@/lib/api/resource";
import { useToday } from "@/lib/ui/use-today";
import type { Paid } from "./api";
import { PaymentsAbroad } from "./payments-abroad";
import { chaptersOf, stepsOf, type Chapter, type Step } from "./trace-chapters";
import styles from "./trace-story.module.css";

const t = translator(tracingTexts);
const common = translator(commonTexts);

/** Where somebody's dollars went, as a story: project, step, picture, note and receipt. */
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
  const slugs = useResource("/projects").data?.map(({ slug }) => slug) ?? [];
  const chapters = chaptersOf(paid, slugs);
  return (
    <>
      <ol className={styles.chapters}>
        {chapters.map((chapter) =>
          chapter.slug === null ? (
            <ChapterCard chapter={chapter} isOwn={isOwn} key={chapter.account} project={null} />
          ) : (
            <KnownChapter
              chapter={chapter}
              isOwn={isOwn}
              key={chapter.account}
              slug={chapter.slug}
            />
          ),
        )}
      </ol>
      {runningCents === 0 ? null : (
        <p className="muted">{t("story.running", { amount: formatCents(runningCents) })}</p>
      )}
    </>
  );
}

/** A chapter whose project has a page, from which its pictures and notes come. */
function KnownChapter({
  chapter,
  slug,
  isOwn,
}: {
  readonly chapter: Chapter;
  readonly slug: string;
  readonly isOwn: boolean;
}) {
  const project = useResource(`/projects/${encodeURIComponent(slug)}`);
  return <ChapterCard chapter={chapter} isOwn={isOwn} project={project.data} />;
}

function ChapterCard({
  chapter,
  project,
  isOwn,
}: {
  readonly chapter: Chapter;
  readonly project: ProjectPage | null;
  readonly isOwn: boolean;
}) {
  const today = useToday();
  const steps = stepsOf(chapter, project);
  const photo = steps.findLast(({ milestone }) => milestone?.images?.[0])?.milestone?.images?.[0];
  const note = project?.updates.toSorted((left, right) => right.date.localeCompare(left.date))[0];
  const amount = formatCents(chapter.cents);
  return (
    <li className={styles.chapter}>
      {/* A grant has no page, and so no picture. */}
      {chapter.slug === null ? null : (
        <div className={styles.art}>
          {project === null ? null : (
            <Scene
              category={project.category}
              image={photo ?? project.imageUrl}
              subject={project.title}
            />
          )}
        </div>
      )}
      <div className={styles.words}>
        <p className={`num ${styles.amount}`}>
          {t(isOwn ? "story.yours" : "story.of-it", { amount })}
        </p>
        <h3>
          <PageLink slug={chapter.slug}>{project?.title ?? chapter.name}</PageLink>
          {project?.sample ? <SampleTag>{common("sample")}</SampleTag> : null}
        </h3>
        <ul className={styles.steps}>
          {steps.map((step) => (
            <StepLine key={step.key} step={step} today={today} />
          ))}
        </ul>
        <PaymentsAbroad paid={chapter.payments} />
        {note === undefined || chapter.slug === null ? null : (
          <p className="meta">
            <Link className="link" to={paths.project(chapter.slug)}>
              {t("story.note", { title: note.title, date: formatDate(note.date, today) })}
            </Link>
          </p>
        )}
      </div>
    </li>
  );
}

function StepLine({ step, today }: { readonly step: Step; readonly today: Date }) {
  const amount = formatCents(step.cents);
  const date = formatDate(step.date, today);
  const { milestone } = step;
  return (
    <li>
      {milestone === null
        ? t("story.paid", { amount, date })
        : t("story.done", { amount, step: milestone.title, date })}
      {milestone?.evidence.map(({ path, isImage }) => (
        <a className={`link ${styles.proof}`} href={path} key={path}>
          {t(isImage ? "story.photo" : "story.receipt")}
        </a>
      ))}
    </li>
  );
}

function PageLink({
  slug,
  children,
}: {
  readonly slug: string | null;
  readonly children: ReactNode;
}) {
  if (slug === null) return children;
  return (
    <Link className="link" to={paths.project(slug)}>
      {children}
    </Link>
  );
}
