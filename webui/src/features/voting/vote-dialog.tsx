import { useEffect, useRef, type ReactNode } from "react";
import { Button } from "@/components/button/button";
import { Modal } from "@/components/modal/modal";
import { Tile } from "@/components/tile/tile";
import commonTexts from "@/messages/en/common.json";
import votingTexts from "@/messages/en/voting.json";
import { translator } from "@/lib/messages";
import type { Receipt } from "@/lib/receipt";
import type { Choice, Proposal } from "./api";
import { VoteBars } from "./vote-bars";
import type { Voting } from "./use-vote";
import styles from "./vote-dialog.module.css";

const t = translator(votingTexts);
const common = translator(commonTexts);

/** Casts a vote; once it is counted, the same dialog shows the new count and the receipt. */
export function VoteDialog({
  proposal,
  voting,
  memberName,
  renderReceipt,
  onShare,
  onClose,
}: {
  readonly proposal: Proposal;
  readonly voting: Voting;
  /** Picks the member's own tile; null while it is not known. */
  readonly memberName: string | null;
  readonly renderReceipt: (receipt: Receipt) => ReactNode;
  readonly onShare: () => void;
  readonly onClose: () => void;
}) {
  const outcome = useRef<HTMLParagraphElement>(null);
  const { voted } = voting;
  useEffect(() => {
    // The button that was pressed is gone; the next thing to read is what came of it.
    if (voted) outcome.current?.focus();
  }, [voted]);
  return (
    <Modal
      busy={voting.sending !== null}
      closeLabel={common("close")}
      onClose={onClose}
      selvedge
      title={t("dialog.title")}
    >
      {voted ? (
        <p className={styles.counted} ref={outcome} tabIndex={-1}>
          {memberName === null ? null : <Tile className={styles.tile} name={memberName} />}
          {t("dialog.counted")}
        </p>
      ) : (
        <p className="muted">{t("dialog.text")}</p>
      )}
      <VoteBars closed={false} proposal={proposal} />
      {voted ? (
        <>
          {voting.receipt === null ? null : renderReceipt(voting.receipt)}
          {voting.lost === null ? null : <FetchReceipt choice={voting.lost} voting={voting} />}
          <Button block icon="share" onClick={onShare} size="lg">
            {t("dialog.share")}
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
      size="lg"
    >
      {t(choice === "upvote" ? "yes" : "no")}
    </Button>
  );
}
