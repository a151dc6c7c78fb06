import type { ReactNode } from "react";
import { Card } from "@/components/card/card";
import { Portrait } from "@/components/portrait/portrait";
import openVoteTexts from "@/messages/en/open-vote.json";
import votingTexts from "@/messages/en/voting.json";
import { wordsOfRule } from "@/lib/models/vote-rule";
import { formatDollarsOfCents, placeName } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import type { Choice, Proposal } from "./api";
import type { Deadline } from "./use-deadline";
import { VoteBar } from "./vote-bar";
import { VoteStanding } from "./vote-standing";
import styles from "./proposal-card.module.css";

const t = translator(votingTexts);
const open = translator(openVoteTexts);

/** The facts of a proposal beside its story: money, place, people, and the vote so far. */
export function ProposalCard({
  proposal,
  closed,
  deadline,
  own,
  children,
}: {
  readonly proposal: Proposal;
  readonly closed: boolean;
  readonly deadline: Deadline;
  readonly own: Choice | null;
  /** The actions. */
  readonly children: ReactNode;
}) {
  return (
    <Card className={styles.card}>
      <dl>
        <div className="kv">
          <dt className="muted">{t("funds")}</dt>
          <dd className={styles.funds}>
            <span className="num">{formatDollarsOfCents(proposal.fundingGoalCents)}</span>
          </dd>
        </div>
      </dl>
      <div className={styles.vote}>
        <VoteStanding closed={closed} deadline={deadline} proposal={proposal} />
        <VoteBar closed={closed} own={own} proposal={proposal} />
        <Turnout closed={closed} proposal={proposal} />
        {children}
      </div>
      <dl className={styles.more}>
        <div className="kv">
          <dt className="muted">{t("location")}</dt>
          <dd>
            <b>{placeName(proposal.country, proposal.countryCode)}</b>
          </dd>
        </div>
        {proposal.submitters.length === 0 ? null : (
          <div className={styles.partners}>
            <dt className="muted">{t("partners")}</dt>
            <dd className={styles.faces}>
              {proposal.submitters.map((submitter, place) => (
                <Partner
                  drawn={proposal.sample ? place : null}
                  key={submitter.linkedinUrl}
                  submitter={submitter}
                />
              ))}
            </dd>
          </div>
        )}
      </dl>
    </Card>
  );
}

/** How many have voted; of an open vote also what it still needs. */
function Turnout({ proposal, closed }: { readonly proposal: Proposal; readonly closed: boolean }) {
  const { yes, no, roll, needed, rule } = proposal.tally;
  if (proposal.withdrawal || yes === null || no === null || needed === null) return null;
  if (roll === 0) return closed ? null : <p className="sm muted">{open("nobody")}</p>;
  return (
    <p className="sm muted">
      {t(closed ? "bar.did-not" : "bar.not-yet", { voted: yes + no, roll })}
      {closed ? null : ` ${t("bar.needed", { needed })} ${wordsOfRule(rule).sentence}`}
    </p>
  );
}

function Partner({
  submitter,
  drawn,
}: {
  readonly submitter: Proposal["submitters"][number];
  readonly drawn: number | null;
}) {
  const name = submitter.name || t("partner-unnamed");
  return (
    <a
      aria-label={t("partner-link", { name })}
      className={styles.partner}
      href={submitter.linkedinUrl}
      rel="noopener noreferrer nofollow"
      target="_blank"
    >
      <Portrait className={styles.face} drawn={drawn} image={submitter.image} name={name} />
      <span>{name}</span>
    </a>
  );
}
