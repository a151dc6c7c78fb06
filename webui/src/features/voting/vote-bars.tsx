import { VoteBar } from "@/components/vote-bar/vote-bar";
import votingTexts from "@/messages/en/voting.json";
import { translator } from "@/lib/text/messages";
import type { Choice, Proposal } from "./api";
import { sharesOf } from "./proposal-state";
import { VoteThreads } from "./vote-threads";
import styles from "./vote-bars.module.css";

const t = translator(votingTexts);

const WORDS = {
  yes: t("yes"),
  no: t("no"),
  mark: t("bar.mark"),
  yesLabel: t("bar.yes-label"),
  noLabel: t("bar.no-label"),
  none: t("bar.none"),
};

/** The vote bars, turnout, and the number of yes votes still needed. */
export function VoteBars({
  proposal,
  closed,
  own = null,
}: {
  readonly proposal: Proposal;
  readonly closed: boolean;
  /** The own vote, if this browser knows it. */
  readonly own?: Choice | null;
}) {
  const { yes, no } = sharesOf(proposal);
  const { tally } = proposal;
  return (
    <div className={styles.bars}>
      <VoteBar no={no} words={closed ? { ...WORDS, none: t("bar.none-closed") } : WORDS} yes={yes} />
      <VoteThreads own={own} tally={tally} />
      <p className="sm muted">
        {t(closed ? "bar.did-not" : "bar.not-yet", { voted: tally.yes + tally.no, roll: tally.roll })}
        {closed ? null : <> {t("bar.needed", { needed: tally.needed })}</>}
      </p>
    </div>
  );
}
