import type { SampleTrace } from "@/api/schema";
import { ButtonLink } from "@/components/button/button";
import tracingTexts from "@/messages/en/tracing.json";
import { useResource } from "@/lib/api/resource";
import { paths } from "@/lib/page/paths";
import { formatDollarsOfCents, formatMonth } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { TraceStory, useStory } from "./trace-story";
import styles from "./trace-view.module.css";

const t = translator(tracingTexts);

/** One member's contribution, for visitors; nothing while none is spent. */
export function SampleStory() {
  const trace = useResource("/sample-trace").data?.trace ?? null;
  return trace === null ? null : <Story trace={trace} />;
}

function Story({ trace }: { readonly trace: SampleTrace }) {
  if (!useStory(trace.paid)) return null;
  const amount = formatDollarsOfCents(trace.cents);
  return (
    <section aria-labelledby="sample-story" className={styles.part}>
      <h2 id="sample-story">{t("sample.title", { amount })}</h2>
      <p className="lead">{t("sample.text", { amount, month: formatMonth(trace.month) })}</p>
      <TraceStory isOwn={false} paid={trace.paid} runningCents={trace.runningCents} />
      <p className="row">
        <ButtonLink to={paths.join}>{t("sample.join")}</ButtonLink>
        <ButtonLink kind="line" to={paths.follow}>
          {t("sample.follow")}
        </ButtonLink>
      </p>
    </section>
  );
}
