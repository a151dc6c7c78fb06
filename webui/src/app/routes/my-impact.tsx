import { TraceView } from "@/features/tracing/trace-view";
import { VoteStrip } from "@/features/voting/vote-strip";
import { useResource } from "@/lib/api/resource";
import { useSignedIn } from "@/lib/session/session";
import tracingTexts from "@/messages/en/tracing.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(tracingTexts);

export function MyImpactPage() {
  const signedIn = useSignedIn();
  const votes = useResource("/user/get-proposals#open", signedIn);
  return (
    <>
      <PageMeta description={t("meta.text")} index={false} title={t("meta.title")} />
      {signedIn && votes.status === "loading" ? (
        <div className="waiting" />
      ) : (
        <>
          {signedIn ? <VoteStrip /> : null}
          <TraceView />
        </>
      )}
    </>
  );
}
