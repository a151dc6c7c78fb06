import { Link } from "react-router-dom";
import { StatusDot } from "@/components/badge/badge";
import openVoteTexts from "@/messages/en/open-vote.json";
import votingTexts from "@/messages/en/voting.json";
import { formatDeadline, formatDollarsOfCents, placeName } from "@/lib/text/format";
import { rich, translator } from "@/lib/text/messages";
import { writtenIn } from "@/lib/text/written";
import { paths } from "@/lib/page/paths";
import { useToday } from "@/lib/ui/use-today";
import type { Proposal } from "./api";
import { endOf, isClosed } from "./proposal-state";
import styles from "./proposal-list.module.css";

const t = translator(votingTexts);
const open = translator(openVoteTexts);

/** The other proposals. */
export function ProposalList({ proposals }: { readonly proposals: readonly Proposal[] }) {
  const today = useToday();
  return (
    <section aria-labelledby="other-proposals" className={styles.others}>
      <div className="wrap section">
        <h2 id="other-proposals">{t("others")}</h2>
        <ul className={styles.list}>
          {proposals.map((proposal) => (
            <li key={proposal.id}>
              <div>
                <h3>
                  <Link {...writtenIn(proposal, "title")} to={paths.proposal(proposal.slug)}>{proposal.title}</Link>
                </h3>
                <p className="muted">{placeName(proposal.country, proposal.countryCode)}</p>
              </div>
              <State proposal={proposal} today={today} />
              <span className="num">{formatDollarsOfCents(proposal.fundingGoalCents)}</span>
            </li>
          ))}
        </ul>
        <p className="muted">
          {rich(t("others.calendar"), {
            calendar: (inner) => (
              <a className="link" href={paths.calendar}>
                {inner}
              </a>
            ),
          })}
        </p>
      </div>
    </section>
  );
}

function State({ proposal, today }: { readonly proposal: Proposal; readonly today: Date }) {
  if (!isClosed(proposal, today)) {
    const date = formatDeadline(endOf(proposal), today);
    return <StatusDot level="half">{open("strip.until", { date })}</StatusDot>;
  }
  if (proposal.result === "passed") return <StatusDot level="full">{t("others.passed")}</StatusDot>;
  if (proposal.withdrawal) return <StatusDot level="none">{t("others.withdrawn")}</StatusDot>;
  const isRejected = proposal.result === "rejected";
  return <StatusDot level="none">{t(isRejected ? "others.rejected" : "others.ended")}</StatusDot>;
}
