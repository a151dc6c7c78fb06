import votingTexts from "@/messages/en/voting.json";
import { translator } from "@/lib/messages";
import { PageMeta } from "@/lib/page-meta";
import { ProposalScreen } from "../proposal-screen";

const t = translator(votingTexts);

export function ProposalsPage() {
  return (
    <>
      <PageMeta description={t("meta.text")} title={t("meta.title")} />
      <ProposalScreen slug={null} />
    </>
  );
}
