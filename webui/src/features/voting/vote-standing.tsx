import openVoteTexts from "@/messages/en/open-vote.json";
import votingTexts from "@/messages/en/voting.json";
import { translator } from "@/lib/text/messages";
import type { Proposal } from "./api";
import type { Deadline } from "./use-deadline";
import styles from "./vote-standing.module.css";

const t = translator(votingTexts);
const open = translator(openVoteTexts);

/** What a vote still needs in its last hour, and in the same place its result. */
export function VoteStanding({
  proposal,
  closed,
  deadline,
}: {
  readonly proposal: Proposal;
  readonly closed: boolean;
  readonly deadline: Deadline;
}) {
  const { result, status, tally } = proposal;
  // A withdrawn vote has no result.
  if (!result && status !== "open") return null;
  if (!closed && !deadline.isLastHour) return null;
  const nobody = tally.roll === 0 ? "nobody" : "figures.at-close";
  const waiting = open(closed ? "standing.counting" : nobody);
  const outcome = result ? t(`others.${result}`) : waiting;
  return (
    <div className={styles.standing}>
      <p className={styles.words} role="status">
        {closed || tally.needed === null || tally.roll === 0 ? outcome : open("standing.short", { needed: tally.needed })}
      </p>
      {closed ? null : <p className="muted">{deadline.left}</p>}
    </div>
  );
}
