import { Link } from "react-router-dom";
import { Alert } from "@/components/alert/alert";
import votingTexts from "@/messages/en/voting.json";
import { formatDate, formatDollarsOfCents } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { useResource } from "@/lib/api/resource";
import { useToday } from "@/lib/ui/use-today";
import type { Proposal, Tally } from "./api";
import { moneyOf, type ProposalMoney } from "./proposal-money";
import styles from "./vote-result.module.css";

const t = translator(votingTexts);

/** The result of a closed vote, and the payments that followed. */
export function VoteResult({ proposal }: { readonly proposal: Proposal }) {
  const { result, decidedAt } = proposal;
  return (
    <section aria-labelledby="vote-result" className={styles.result}>
      <h2 id="vote-result">{t("result.title")}</h2>
      <Decision proposal={proposal} />
      {result === "passed" && decidedAt !== null ? (
        <Money decidedAt={decidedAt} proposal={proposal} />
      ) : null}
    </section>
  );
}

/** The result, or that counting is not finished. */
export function Decision({ proposal }: { readonly proposal: Proposal }) {
  const { result, tally } = proposal;
  const isDecided = result === "passed" || result === "rejected";
  if (!isDecided || tally === null) return <Alert kind="info">{t("result.counting")}</Alert>;
  return <p className="lead">{t(`result.${result}`, countsOf(tally))}</p>;
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
        {project === null ? null : <Paid project={project} slug={proposal.slug} today={today} />}
      </ul>
      {project === null ? null : (
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
  const money = useResource(moneyOf(slug, project)).data;
  return money === null ? null : <Steps money={money} today={today} />;
}

function Steps({ money, today }: { readonly money: ProposalMoney; readonly today: Date }) {
  const amounts = [
    ["chain.held", money.heldCents],
    ["chain.queued", money.queuedCents],
    ["chain.released", money.releasedCents],
    ["chain.paid", money.paidCents],
  ] as const;
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
      {money.payouts.map((payout, index) => (
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

function countsOf({ yes, no, roll, needed }: Tally) {
  return { yes, no, roll, needed };
}
