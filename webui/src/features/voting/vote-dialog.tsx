import { useEffect, useRef, useState, type ReactNode, type Ref } from "react";
import { Alert } from "@/components/alert/alert";
import { Button } from "@/components/button/button";
import { Modal } from "@/components/modal/modal";
import { Tile } from "@/components/tile/tile";
import commonTexts from "@/messages/en/common.json";
import openVoteTexts from "@/messages/en/open-vote.json";
import dialogTexts from "@/messages/en/vote-dialog.json";
import votingTexts from "@/messages/en/voting.json";
import { classNames } from "@/lib/ui/class-names";
import { wordsOfRule } from "@/lib/models/vote-rule";
import { formatDollarsOfCents, placeName } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { writtenIn } from "@/lib/text/written";
import type { Receipt } from "@/api/schema";
import type { Choice, Proposal } from "./api";
import { VoteBar } from "./vote-bar";
import { Decision } from "./vote-result";
import type { Voting } from "./use-vote";
import styles from "./vote-dialog.module.css";

const t = translator(dialogTexts);
const words = translator(votingTexts);
const openVote = translator(openVoteTexts);
const common = translator(commonTexts);

/**
 * Casts a vote; then, or when the vote has ended, the same dialog shows the result.
 */
export function VoteDialog({
  proposal,
  closed,
  voting,
  memberName,
  renderReceipt,
  onShare,
  onClose,
}: {
  readonly proposal: Proposal;
  /** Whether the vote has ended. May change while the dialog is open. */
  readonly closed: boolean;
  readonly voting: Voting;
  /** Determines the member's tile; null if unknown. */
  readonly memberName: string | null;
  readonly renderReceipt: (receipt: Receipt) => ReactNode;
  readonly onShare: () => void;
  readonly onClose: () => void;
}) {
  const outcome = useRef<HTMLDivElement>(null);
  const { voted, refusal } = voting;
  const over = voted || closed;
  const [chosen, setChosen] = useState<Choice | null>(null);
  const choose = (choice: Choice) => {
    // Whoever may not vote, or did so in another tab, is told before the last question.
    if (voting.mayChoose()) setChosen(choice);
    else void voting.vote(choice);
  };
  useEffect(() => {
    // The buttons are gone, so the focus moves to the result.
    if (over) outcome.current?.focus();
  }, [over]);
  return (
    <Modal
      busy={voting.sending !== null}
      closeLabel={common("close")}
      onClose={onClose}
      selvedge
      startsAtTitle
      title={titleOf(closed, voting)}
    >
      {over ? (
        <Outcome closed={closed} proposal={proposal} ref={outcome}>
          {voted && !closed ? <Counted memberName={memberName} notCast={voting.notCast} /> : null}
        </Outcome>
      ) : (
        <>
          <p>
            <b {...writtenIn(proposal, "title")}>{proposal.title}</b>
            <br />
            <span className="num">{formatDollarsOfCents(proposal.fundingGoalCents)}</span>
            {` · ${placeName(proposal.country, proposal.countryCode)}`}
          </p>
          <p className="muted">{t("dialog.text", wordsOfRule(proposal.tally.rule))}</p>
        </>
      )}
      {refusal === null || over ? null : <Alert kind="danger">{voting.unsure ? t("dialog.unsure") : refusal}</Alert>}
      <VoteBar closed={closed} own={voting.own} proposal={proposal} />
      {over ? (
        <>
          {voting.receipt === null ? null : renderReceipt(voting.receipt)}
          {voting.lost === null ? null : <FetchReceipt choice={voting.lost} voting={voting} />}
          <Button block icon="share" onClick={onShare} size="lg">
            {voted ? t("dialog.share") : words("share")}
          </Button>
        </>
      ) : (
        <Question chosen={chosen} onBack={() => setChosen(null)} onChoose={choose} voting={voting} />
      )}
    </Modal>
  );
}

function titleOf(closed: boolean, { voted, notCast }: Voting) {
  if (closed) return openVote("result.title");
  if (notCast) return t("dialog.voted-before");
  return t(voted ? "dialog.voted" : "dialog.title");
}

/** Replaces the buttons after a ballot was counted or the vote has ended. */
function Outcome({
  proposal,
  closed,
  children,
  ref,
}: {
  readonly proposal: Proposal;
  readonly closed: boolean;
  readonly children: ReactNode;
  readonly ref: Ref<HTMLDivElement>;
}) {
  return (
    <div className={classNames("stack", styles.outcome)} ref={ref} tabIndex={-1}>
      {children}
      {closed ? <Decision proposal={proposal} /> : null}
    </div>
  );
}

function Counted({
  memberName,
  notCast,
}: {
  readonly memberName: string | null;
  readonly notCast: boolean;
}) {
  return (
    <p className={styles.counted}>
      {memberName === null ? null : <Tile className={styles.tile} name={memberName} />}
      {t(notCast ? "dialog.not-cast" : "dialog.counted")}
    </p>
  );
}

function FetchReceipt({ choice, voting }: { readonly choice: Choice; readonly voting: Voting }) {
  return (
    <Button
      block
      busy={voting.sending !== null && t("dialog.sending")}
      kind="line"
      onClick={() => void voting.vote(choice)}
    >
      {t("dialog.receipt")}
    </Button>
  );
}

/** Asks twice: two equal buttons, then one that says what it does. */
function Question({
  chosen,
  voting,
  onChoose,
  onBack,
}: {
  readonly chosen: Choice | null;
  readonly voting: Voting;
  readonly onChoose: (choice: Choice) => void;
  readonly onBack: () => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const wasAsked = useRef(false);
  useEffect(() => {
    // The buttons changed, so the focus moves to what is asked now.
    if (chosen !== null || wasAsked.current) place.current?.focus();
    wasAsked.current = chosen !== null;
  }, [chosen]);
  const button = (kind: "line" | "primary", text: string, press: () => void) => (
    <Button
      busy={kind === "primary" && voting.sending !== null && t("dialog.sending")}
      disabled={kind === "line" && voting.sending !== null}
      key={text}
      kind={kind}
      onClick={press}
      onKeyDown={(event) => {
        // A key that is held down would press the button that just got the focus.
        if (event.repeat) event.preventDefault();
      }}
      size="lg"
    >
      {text}
    </Button>
  );
  return (
    <div className={chosen === null ? styles.choices : styles.final} ref={place} role="group" tabIndex={-1}>
      {chosen === null ? (
        <>
          {button("line", words("yes"), () => onChoose("upvote"))}
          {button("line", words("no"), () => onChoose("downvote"))}
        </>
      ) : (
        <>
          {/* In the place of the two buttons: a second tap decides nothing. */}
          <p className={styles.chosen}>{t("dialog.chosen", { choice: words(chosen === "upvote" ? "yes" : "no") })}</p>
          {button("primary", t(`dialog.final-${chosen}`), () => void voting.vote(chosen))}
          {button("line", t("dialog.back"), onBack)}
        </>
      )}
    </div>
  );
}
