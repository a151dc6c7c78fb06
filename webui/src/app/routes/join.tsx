import { lazyPart } from "@/components/lazy-part/lazy-part";
import { useOpenVotes } from "@/features/voting/vote-strip";
import { JoinWizard } from "@/features/joining/join-wizard";
import type { Joined } from "@/features/joining/woven-in";
import joiningTexts from "@/messages/en/joining.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(joiningTexts);
const WovenIn = lazyPart(async () => (await import("@/features/joining/way-step")).WovenIn);
const loadDashboard = () => import("./dashboard");

export function JoinPage() {
  return (
    <>
      <PageMeta description={t("meta.text")} title={t("meta.title")} />
      <JoinWizard loadNext={loadDashboard} woven={(joined) => <JoinedScreen joined={joined} />} />
    </>
  );
}

function JoinedScreen({ joined }: { readonly joined: Joined }) {
  const [vote] = useOpenVotes();
  return <WovenIn {...joined} vote={vote ?? null} />;
}
