import { ButtonLink } from "@/components/button/button";
import tracingTexts from "@/messages/en/tracing.json";
import { useResource } from "@/lib/api/resource";
import { paths } from "@/lib/page/paths";
import { formatDollarsOfCents, formatMonth } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { sampleTrace } from "./api";
import { TraceStory } from "./trace-story";
import styles from "./trace-view.module.css";

const t = translator(tracingTexts);

/** One member's contribution, for visitors; nothing while none is spent. */
export function SampleStory() {
  const { data } = useResource(sampleTrace);
  if (data === null) return null;
  const amount = formatDollarsOfCents(data.cents);
  return (
    <section aria-labelledby="sample-story" className={styles.part}>
      <h2 id="sample-story">{t("sample.title", { amount })}</h2>
      <p className="lead">{t("sample.text", { amount, month: formatMonth(data.month) })}</p>
      <TraceStory isOwn={false} paid={data.paid} runningCents={data.runningCents} />
      <p>
        <ButtonLink to={paths.join}>{t("sample.join")}</ButtonLink>
      </p>
    </section>
  );
}
