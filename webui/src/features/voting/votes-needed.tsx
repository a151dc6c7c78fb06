import votingTexts from "@/messages/en/voting.json";
import { useResource } from "@/lib/api/resource";
import { translator } from "@/lib/text/messages";

const t = translator(votingTexts);

/** One sentence: what the vote in progress still needs. */
export function VotesNeeded() {
  const votes = useResource("/user/get-proposals#open").data ?? [];
  const vote = votes.find(({ status }) => status === "open");
  const needed = vote?.tally.needed ?? 0;
  if (vote === undefined || needed === 0) return null;
  return t("needed.sentence", { needed, title: vote.title });
}
