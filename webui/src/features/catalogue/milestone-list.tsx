import type { MilestoneMoney } from "@/api/schema";
import { Scene } from "@/components/scene/scene";
import { Icon } from "@/components/icon/icon";
import pageTexts from "@/messages/en/project-page.json";
import { amountOf, formatDate, formatDollarsOfCents } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { writtenIn } from "@/lib/text/written";
import { isDrawn } from "@/lib/page/paths";
import { classNames } from "@/lib/ui/class-names";
import { useToday } from "@/lib/ui/use-today";
import styles from "./milestone-list.module.css";

const t = translator(pageTexts);

/** The milestones in order, with their cost; completed ones have a tick, not only a colour. */
export function MilestoneList({
  milestones,
  drawnAs,
}: {
  readonly milestones: readonly MilestoneMoney[];
  /** The category whose scene stands for a missing photo of a step that is done; null for none. */
  readonly drawnAs: string | null;
}) {
  const today = useToday();
  return (
    <ol className={styles.list}>
      {milestones.map((milestone) => (
        <li className={milestone.completed ? styles.done : undefined} key={milestone.id}>
          <span className={styles.pip}>
            {milestone.completed ? <Icon name="check" /> : null}
            <span className="vh">
              {milestone.completed ? t("project.done") : t("project.not-done")}
            </span>
          </span>
          <b {...writtenIn(milestone, "title")}>{milestone.title}</b>
          <b className="num">{formatDollarsOfCents(milestone.costCents)}</b>
          <p className={classNames("muted", styles.when)}>
            {milestone.completed
              ? formatDate(milestone.completedOn ?? milestone.date, today)
              : t("project.planned", { date: formatDate(milestone.date, today) })}
            {milestone.paidCents === 0
              ? null
              : ` · ${t("project.paid", { amount: amountOf(milestone.paidCents) })}`}
          </p>
          <Pictures drawnAs={drawnAs} milestone={milestone} />
          {milestone.evidence.length === 0 ? null : (
            <ul className={styles.evidence}>
              {milestone.evidence.map((kept) => (
                <li key={kept.path}>
                  <a className="link" href={kept.path}>
                    {kept.isImage ? t("evidence.photo") : t("evidence.document")}
                  </a>
                  <details>
                    <summary className="muted">{t("evidence.proof")}</summary>
                    <p>
                      {t("evidence.hash")} <code>{kept.sha256}</code>
                    </p>
                  </details>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  );
}

/** The photos of a milestone; a completed one of sample content has a drawing instead. */
function Pictures({
  milestone,
  drawnAs,
}: {
  readonly milestone: MilestoneMoney;
  readonly drawnAs: string | null;
}) {
  const images = milestone.images ?? [];
  const photos = images.filter((image) => !isDrawn(image));
  if (photos.length > 0) {
    return (
      <div className={styles.images}>
        {photos.map((image) => (
          <img alt="" height="99" key={image} loading="lazy" src={image} width="132" />
        ))}
      </div>
    );
  }
  if (drawnAs === null || !milestone.completed) return null;
  return (
    <figure className={styles.images}>
      <Scene category={drawnAs} image={images[0]} subject={milestone.title} />
      <figcaption className="meta">{t("project.drawn")}</figcaption>
    </figure>
  );
}
