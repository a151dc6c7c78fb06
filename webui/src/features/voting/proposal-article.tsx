import { useRef, useState, type ReactNode } from "react";
import { lazyDialog } from "@/components/lazy-part/lazy-part";
import { Badge, SampleTag } from "@/components/badge/badge";
import { Button } from "@/components/button/button";
import { OriginalText } from "@/components/original-text/original-text";
import openVoteTexts from "@/messages/en/open-vote.json";
import votingTexts from "@/messages/en/voting.json";
import { classNames } from "@/lib/ui/class-names";
import { formatDate, formatPercent } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { originalText, writtenIn } from "@/lib/text/written";
import { useToday } from "@/lib/ui/use-today";
import type { Receipt } from "@/api/schema";
import type { Proposal } from "./api";
import { ListenButton } from "./listen-button";
import { ProposalCard } from "./proposal-card";
import { ProposalParts, ProposalPicture } from "./proposal-head";
import { ProposalSections } from "./proposal-sections";
import { sharesOf, spokenText } from "./proposal-state";
import { useClosed } from "./use-closed";
import { useDeadline, withLeft, type Deadline } from "./use-deadline";
import { useLiveVote } from "./use-live-vote";
import { useVote, type Voting } from "./use-vote";
import { VoteResult } from "./vote-result";
import styles from "./proposal-article.module.css";

const t = translator(votingTexts);
const open = translator(openVoteTexts);
const VoteDialog = lazyDialog(async () => (await import("./vote-dialog")).VoteDialog);

/** Parts of a proposal's page from other features. */
export type ProposalSlots = {
  /** The member's name, which determines their tile; null for visitors. */
  readonly memberName: string | null;
  readonly renderShare: (proposal: Proposal, onClose: () => void) => ReactNode;
  readonly renderReceipt: (receipt: Receipt) => ReactNode;
  readonly renderCheck: (receipt: Receipt | null) => ReactNode;
};

/** The translations that changed after the vote was opened. */
function Corrections({ proposal }: { readonly proposal: Proposal }) {
  const today = useToday();
  // A server of 0.2.0 tells of none.
  return proposal.corrections?.map(({ language, day, reason }, index) => (
    // One text may be corrected twice on a day.
    // oxlint-disable-next-line react/no-array-index-key
    <p className="muted" key={index}>
      {t("corrected", { language: language.toUpperCase(), date: formatDate(day, today), reason })}
    </p>
  ));
}

/** The parts of a proposal below its title, with the vote button. */
export function ProposalArticle({
  proposal,
  slots,
}: {
  readonly proposal: Proposal;
  readonly slots: ProposalSlots;
}) {
  const voting = useVote(proposal);
  const closed = useClosed(proposal) || voting.ended;
  const [dialog, setDialog] = useState<"vote" | "share" | null>(null);
  const body = useRef<HTMLDivElement>(null);
  const close = () => setDialog(null);
  const cast = closed ? null : <CastVote onClick={() => setDialog("vote")} voting={voting} />;
  const spoken = () =>
    spokenText(proposal.title, proposal.summary, [
      ...(body.current?.querySelectorAll("details[open]") ?? []),
    ]);
  const deadline = useDeadline(proposal);
  useLiveVote(proposal);
  return (
    <>
      <ProposalParts
        card={
          <ProposalCard closed={closed} deadline={deadline} own={voting.own} proposal={proposal}>
            {cast === null ? null : <div className={styles.wide}>{cast}</div>}
          </ProposalCard>
        }
        picture={<ProposalPicture category={proposal.category} title={originalText(proposal, "title")} />}
        tags={
          <>
            <Badge tone="hibiscus" wraps>
              {closed
                ? open("badge.closed", { date: deadline.day })
                : open("badge.open", { date: deadline.instant })}
            </Badge>
            {closed || deadline.left === null || deadline.isLastHour ? null : <Badge>{deadline.left}</Badge>}
            {proposal.sample ? <SampleTag /> : null}
          </>
        }
      >
        <div ref={body}>
          <p className={styles.summary} {...writtenIn(proposal, "summary")}>{proposal.summary}</p>
          <div className={classNames("row", styles.tools)}>
            <ListenButton lang={writtenIn(proposal, "storySections").lang} text={spoken} />
            <Button icon="share" kind="line" onClick={() => setDialog("share")} size="sm">
              {t("share")}
            </Button>
          </div>
          <ProposalSections proposal={proposal} />
          <OriginalText item={proposal} />
          <Corrections proposal={proposal} />
          {closed ? <VoteResult proposal={proposal} /> : <Closing cast={cast} deadline={deadline} voted={voting.voted} />}
          {voting.voted || closed ? (
            <section aria-labelledby="check-vote" className={styles.check}>
              <h2 id="check-vote">{t("check.title")}</h2>
              {slots.renderCheck(voting.receipt)}
            </section>
          ) : null}
        </div>
      </ProposalParts>
      {cast === null ? null : <BottomBar cast={cast} deadline={deadline} proposal={proposal} />}
      {dialog === "vote" ? (
        <VoteDialog
          closed={closed}
          memberName={slots.memberName}
          onClose={close}
          onShare={() => setDialog("share")}
          proposal={proposal}
          renderReceipt={slots.renderReceipt}
          voting={voting}
        />
      ) : null}
      {dialog === "share" ? slots.renderShare(proposal, close) : null}
    </>
  );
}

function CastVote({ voting, onClick }: { readonly voting: Voting; readonly onClick: () => void }) {
  return (
    <Button className={styles.cast} onClick={onClick} size="lg">
      {voting.voted ? open("voted.see") : t("cast")}
    </Button>
  );
}

function Closing({
  cast,
  deadline,
  voted,
}: {
  readonly cast: ReactNode;
  readonly deadline: Deadline;
  readonly voted: boolean;
}) {
  return (
    <section aria-labelledby="thats-all" className={styles.closing}>
      <h2 id="thats-all">{t("all")}</h2>
      <p className="lead">
        {voted ? t("voted") : t("all.text", { date: withLeft(deadline.instant, deadline) })}
      </p>
      {cast}
    </section>
  );
}

/** The vote button that stays visible on a phone. */
function BottomBar({
  proposal,
  cast,
  deadline,
}: {
  readonly proposal: Proposal;
  readonly cast: ReactNode;
  readonly deadline: Deadline;
}) {
  const { yes } = sharesOf(proposal);
  return (
    <div className={styles.bottom}>
      <p>
        <b>{yes === null ? t("bar.none") : t("bottom.yes", { share: formatPercent(yes) })}</b>
        <br />
        <span className="muted sm">
          {withLeft(t("bottom.closes", { date: deadline.instant }), deadline)}
        </span>
      </p>
      {cast}
    </div>
  );
}
