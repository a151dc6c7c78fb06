import { VoteBar } from "@/components/vote-bar/vote-bar";
import openVoteTexts from "@/messages/en/open-vote.json";
import votingTexts from "@/messages/en/voting.json";
import { wordsOfRule } from "@/lib/models/vote-rule";
import { translator } from "@/lib/text/messages";
import type { Choice, Proposal } from "./api";
import { sharesOf } from "./proposal-state";
import { VoteThreads } from "./vote-threads";
import styles from "./vote-bars.module.css";

const t = translator(votingTexts);
const open = translator(openVoteTexts);

/** The vote bars, turnout, and the number of yes votes still needed. */
export function VoteBars({
  proposal,
  closed,
  own = null,
  isBold = false,
}: {
  readonly proposal: Proposal;
  readonly closed: boolean;
  /** The own vote, if this browser knows it. */
  readonly own?: Choice | null;
  /** Whether the own thread is bold. */
  readonly isBold?: boolean;
}) {
  if (proposal.withdrawal) return null;
  const { tally } = proposal;
  if (tally.yes === null || tally.no === null || tally.needed === null) return <p className="sm muted">{open("figures.at-close")}</p>;
  const { yes, no } = sharesOf(proposal);
  const rule = wordsOfRule(tally.rule);
  const words = {
    yes: t("yes"),
    no: t("no"),
    mark: t("bar.mark", rule),
    yesLabel: t("bar.yes-label", rule),
    noLabel: t("bar.no-label"),
    none: t(closed ? "bar.none-closed" : "bar.none"),
  };
  return (
    <div className={styles.bars}>
      <VoteBar needed={rule.percent} no={no} words={words} yes={yes} />
      <VoteThreads isBold={isBold} own={own} tally={tally} />
      <p className="sm muted">
        {t(closed ? "bar.did-not" : "bar.not-yet", { voted: tally.yes + tally.no, roll: tally.roll })}
        {closed ? null : ` ${t("bar.needed", { needed: tally.needed })} ${rule.sentence}`}
      </p>
    </div>
  );
}
