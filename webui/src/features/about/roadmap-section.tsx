import type { Statistics } from "@/api/schema";
import { StatusDot } from "@/components/badge/badge";
import { Icon } from "@/components/icon/icon";
import { OriginalText } from "@/components/original-text/original-text";
import { ProgressBar } from "@/components/progress-bar/progress-bar";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import aboutTexts from "@/messages/en/about.json";
import catalogueTexts from "@/messages/en/catalogue.json";
import { classNames } from "@/lib/ui/class-names";
import { formatDate, formatDollarsOfCents, formatNumber } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { writtenIn } from "@/lib/text/written";
import { useToday } from "@/lib/ui/use-today";
import type { Answer } from "@/lib/api/calls";
import { useResource } from "@/lib/api/resource";
import styles from "./about-sections.module.css";

const t = translator(aboutTexts);
const catalogue = translator(catalogueTexts);
const LEVELS = { Complete: "full", "In Progress": "half", Planning: "none" } as const;

/** The roadmap; items with a target show the live figure too. */
export function RoadmapSection({ stats }: { readonly stats: Statistics | null }) {
  const roadmap = useResource("/roadmap");
  return (
    <section aria-labelledby="roadmap" className="section">
      <div className="wrap halves">
        <h2 className={styles.opener} id="roadmap">
          {t("roadmap")}
        </h2>
        <ResourceView
          skeleton={<Skeleton shape="block" />}
          state={roadmap}
          what={t("roadmap.failed")}
        >
          {(acts) =>
            acts.length === 0 ? (
              <p className="muted">{t("roadmap.none")}</p>
            ) : (
              <ol>
                {acts.map((act) => (
                  <Act act={act} key={act.id} stats={stats} />
                ))}
              </ol>
            )
          }
        </ResourceView>
      </div>
    </section>
  );
}

type RoadmapItem = Answer<"/roadmap">[number];

function Act({
  act,
  stats,
}: {
  readonly act: RoadmapItem;
  readonly stats: Statistics | null;
}) {
  const today = useToday();
  const done = act.status === "Complete";
  const measure = stats === null || done ? null : measureOf(act, stats);
  return (
    <li className={classNames(styles.road, done && styles.reached)}>
      <span className={styles.pip}>{done ? <Icon name="check" /> : null}</span>
      <div>
        <b {...writtenIn(act, "title")}>{act.title}</b>
        {act.description ? <p className="muted" {...writtenIn(act, "description")}>{act.description}</p> : null}
        <OriginalText item={act} />
        {measure === null ? null : (
          <div className={styles.measure}>
            <ProgressBar
              label={t("roadmap.progress", { title: act.title })}
              max={measure.max}
              text={measure.text}
              value={measure.value}
            />
          </div>
        )}
      </div>
      <StatusDot level={LEVELS[act.status]}>
        {act.completedOn === undefined
          ? catalogue(`status.${act.status}`)
          : t("roadmap.reached", {
              status: catalogue(`status.${act.status}`),
              date: formatDate(act.completedOn, today),
            })}
      </StatusDot>
    </li>
  );
}

function measureOf(act: RoadmapItem, stats: Statistics) {
  if (act.measure === "changemakers" && act.targetCount !== undefined) {
    return {
      value: stats.changemakers,
      max: act.targetCount,
      text: t("roadmap.of", {
        value: formatNumber(stats.changemakers),
        target: formatNumber(act.targetCount),
      }),
    };
  }
  if (act.measure === "monthlyIncome" && act.targetCents !== undefined) {
    return {
      value: stats.monthlyDonationCents / 100,
      max: act.targetCents / 100,
      text: t("roadmap.of", {
        value: formatDollarsOfCents(stats.monthlyDonationCents),
        target: formatDollarsOfCents(act.targetCents),
      }),
    };
  }
  return null;
}
