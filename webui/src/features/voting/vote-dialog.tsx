import { useEffect, useRef, type ReactNode, type Ref } from "react";
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
import { translator } from "@/lib/text/messages";
import type { AnyReceipt } from "@/lib/models/receipt";
import type { Choice, Proposal } from "./api";
import { VoteBars } from "./vote-bars";
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
  readonly renderReceipt: (receipt: AnyReceipt) => ReactNode;
  readonly onShare: () => void;
  readonly onClose: () => void;
}) {
  const outcome = useRef<HTMLDivElement>(null);
  const { voted, refusal } = voting;
  const over = voted || closed;
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
          <p className="muted">{t("dialog.text", wordsOfRule(proposal.tally.rule))}</p>
          <p>
            <b>{t("dialog.final")}</b>
          </p>
        </>
      )}
      {refusal === null || over ? null : <Alert kind="warning">{refusal}</Alert>}
      <VoteBars closed={closed} own={voting.own} proposal={proposal} />
      {over ? (
        <>
          {voting.receipt === null ? null : renderReceipt(voting.receipt)}
          {voting.lost === null ? null : <FetchReceipt choice={voting.lost} voting={voting} />}
          <Button block icon="share" onClick={onShare} size="lg">
            {voted ? t("dialog.share") : words("share")}
          </Button>
        </>
      ) : (
        <div className={styles.choices}>
          <Choose choice="upvote" voting={voting} />
          <Choose choice="downvote" voting={voting} />
        </div>
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

function Choose({ choice, voting }: { readonly choice: Choice; readonly voting: Voting }) {
  const isOther = voting.sending !== null && voting.sending !== choice;
  return (
    <Button
      busy={voting.sending === choice && t("dialog.sending")}
      disabled={isOther}
      kind={choice === "upvote" ? "primary" : "line"}
      onClick={() => void voting.vote(choice)}
      onKeyDown={(event) => {
        // A key that is held down would press the button that just got the focus.
        if (event.repeat) event.preventDefault();
      }}
      size="lg"
    >
      {words(choice === "upvote" ? "yes" : "no")}
    </Button>
  );
}
