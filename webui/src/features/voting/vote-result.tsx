import { Link } from "react-router-dom";
import type { VoteCounts } from "@/api/schema";
import { Alert } from "@/components/alert/alert";
import { Releases } from "@/components/releases/releases";
import openVoteTexts from "@/messages/en/open-vote.json";
import votingTexts from "@/messages/en/voting.json";
import { formatDate, formatDollarsOfCents } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { useResource } from "@/lib/api/resource";
import { useToday } from "@/lib/ui/use-today";
import type { Proposal } from "./api";
import styles from "./vote-result.module.css";

const t = translator(votingTexts);
const open = translator(openVoteTexts);

/** The result of a closed vote, and the payments that followed. */
export function VoteResult({ proposal }: { readonly proposal: Proposal }) {
  const { result, decidedAt } = proposal;
  return (
    <section aria-labelledby="vote-result" className={styles.result}>
      <h2 id="vote-result">{open("result.title")}</h2>
      <Decision proposal={proposal} />
      {result === "passed" && decidedAt ? (
        <Money decidedAt={decidedAt} proposal={proposal} />
      ) : null}
    </section>
  );
}

/** The result, or that counting is not finished. */
export function Decision({ proposal }: { readonly proposal: Proposal }) {
  const { result, tally, withdrawal, offRoll } = proposal;
  if (withdrawal) return <Withdrawn ballots={withdrawal.ballots} reason={withdrawal.reason} />;
  if (!result) return <Alert kind="info">{open("result.counting")}</Alert>;
  return (
    <>
      <p className="lead">{open(`result.${result}`, countsOf(tally))}</p>
      {offRoll ? <p className="sm muted">{open("result.off-roll", offRoll)}</p> : null}
    </>
  );
}

function Withdrawn({
  reason,
  ballots,
}: {
  readonly reason: string;
  readonly ballots: number | null;
}) {
  return (
    <>
      <p className="lead">{open("result.withdrawn", { reason })}</p>
      {ballots === null ? null : <p>{open("result.withdrawn-ballots", { ballots })}</p>}
    </>
  );
}

function Money({
  proposal,
  decidedAt,
}: {
  readonly proposal: Proposal;
  readonly decidedAt: string;
}) {
  const today = useToday();
  const { project } = proposal;
  return (
    <>
      <h3>{t("chain.title")}</h3>
      <ul className={styles.chain}>
        <li>
          <span>{t("chain.vote")}</span>
          <b>{formatDate(decidedAt, today)}</b>
        </li>
        {!project ? null : <Paid project={project} slug={proposal.slug} today={today} />}
      </ul>
      <Releases releases={proposal.releases ?? []} />
      {!project ? null : (
        <p>
          <Link className="link" to={paths.project(project)}>
            {t("chain.project")}
          </Link>
        </p>
      )}
    </>
  );
}

function Paid({
  slug,
  project,
  today,
}: {
  readonly slug: string;
  readonly project: string;
  readonly today: Date;
}) {
  // The same figures as on the project's own page.
  const page = useResource(`/projects/${encodeURIComponent(project)}`).data;
  if (!page?.commitment) return null;
  const { heldCents, queuedCents, releasedCents, paidCents } = page.commitment;
  const amounts = [
    ["chain.held", heldCents],
    ["chain.queued", queuedCents],
    ["chain.released", releasedCents],
    ["chain.paid", paidCents],
  ] as const;
  const payouts = page.payouts.filter(({ proposal }) => proposal === slug);
  return (
    <>
      {amounts.map(([key, cents]) =>
        cents === 0 ? null : (
          <li key={key}>
            <span>{t(key)}</span>
            <b className="num">{formatDollarsOfCents(cents)}</b>
          </li>
        ),
      )}
      {payouts.map((payout, index) => (
        // Two payments may be identical.
        // oxlint-disable-next-line react/no-array-index-key
        <li className={styles.payout} key={index}>
          <span>{formatDate(payout.date, today)}</span>
          <b className="num">{formatDollarsOfCents(payout.cents)}</b>
        </li>
      ))}
    </>
  );
}

function countsOf({ yes, no, roll, needed }: VoteCounts) {
  return { yes: yes ?? 0, no: no ?? 0, roll, needed: needed ?? 0 };
}
