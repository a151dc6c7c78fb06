import { Booked } from "@/components/booked/booked";
import followTexts from "@/messages/en/follow.json";
import { useResource } from "@/lib/api/resource";
import { amountOf, formatCents } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { classNames } from "@/lib/ui/class-names";
import { sumsOf, threadsOf, type FlowPart } from "./flow-parts";
import styles from "./flow.module.css";

const t = translator(followTexts);
const STATES = ["paid", "waiting", "refunded"] as const;

/** Where an amount went: its threads on the left, what they reached on the right. */
export function Flow({
  title,
  parts,
}: {
  readonly title: string;
  readonly parts: readonly FlowPart[];
}) {
  const slugs = useResource("/projects").data?.map(({ slug }) => slug) ?? [];
  const sums = sumsOf(parts);
  return (
    <figure aria-labelledby="flow" className={classNames("field-night on-dark", styles.flow)}>
      <h2 id="flow">{title}</h2>
      <div className={styles.picture}>
        <svg aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 100">
          {threadsOf(parts).map(({ part, from, to }, place) => (
            <path
              className={classNames(styles[parts[part]?.fund ?? "other"], styles[parts[part]?.state ?? "paid"])}
              d={`M0 ${cut(from)}C55 ${cut(from)} 45 ${cut(to)} 100 ${cut(to)}`}
              // The threads have no identity besides their position.
              // oxlint-disable-next-line react/no-array-index-key
              key={place}
            />
          ))}
        </svg>
        <ul>
          {parts.map((part) => (
            <li className={styles[part.fund]} key={`${part.fund}-${part.state}-${part.title}`}>
              <p>
                <b><PartName part={part} slug={slugs.find((slug) => slug === part.project) ?? null} /></b>
                {part.state === "waiting" ? (
                  <span className="vh">{t("waits")}</span>
                ) : (
                  <span className={styles.fund}>{t(`fund.${part.fund}`)}</span>
                )}
              </p>
              <span className="num">{formatCents(part.cents)}</span>
            </li>
          ))}
        </ul>
      </div>
      <figcaption>
        <p className={styles.sum}>
          {t("adds-up", {
            amount: formatCents(STATES.reduce((sum, state) => sum + sums[state], 0)),
            parts: STATES.filter((state) => sums[state] > 0)
              .map((state) => t(`adds-up.${state}`, { amount: amountOf(sums[state]) }))
              .join(t("plus")),
          })}
        </p>
        <p className="sm muted">
          {t("thread")} {sums.waiting === 0 ? null : t("thread.bare")}
        </p>
      </figcaption>
    </figure>
  );
}

function PartName({ part, slug }: { readonly part: FlowPart; readonly slug: string | null }) {
  if (part.state === "waiting") return t(`fund.${part.fund}`);
  if (part.state === "refunded") return t("back");
  return <Booked sample={part.sample} to={slug === null ? undefined : paths.project(slug)} written={part.title} />;
}

function cut(place: number): string {
  return (place * 100).toFixed(2);
}
