import { VotesNeeded } from "@/features/voting/votes-needed";
import { JoinWizard } from "@/features/joining/join-wizard";
import joiningTexts from "@/messages/en/joining.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(joiningTexts);

export function JoinPage() {
  return (
    <>
      <PageMeta description={t("meta.text")} title={t("meta.title")} />
      <JoinWizard firstVote={<VotesNeeded />} />
    </>
  );
}
