import { TraceView } from "@/features/tracing/trace-view";
import { BelowVotes } from "@/features/voting/votes-above";
import tracingTexts from "@/messages/en/tracing.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(tracingTexts);

export function MyImpactPage() {
  return (
    <>
      <PageMeta description={t("meta.text")} index={false} title={t("meta.title")} />
      <BelowVotes>
        <TraceView />
      </BelowVotes>
    </>
  );
}
