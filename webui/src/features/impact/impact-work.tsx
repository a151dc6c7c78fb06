import type { ImpactReport, ProposalRecord } from "@/api/schema";
import { Badge } from "@/components/badge/badge";
import { Booked } from "@/components/booked/booked";
import { MoneyPages } from "@/components/money-pages/money-pages";
import { PaidList } from "@/components/paid-list/paid-list";
import { ProgressBar } from "@/components/progress-bar/progress-bar";
import impactTexts from "@/messages/en/impact.json";
import { foreignText, inBothCurrencies, sumInBoth } from "@/lib/text/foreign";
import { amountOf, formatDate, formatWholeDollars } from "@/lib/text/format";
import { measuredFigure, measuredState } from "@/lib/text/measured";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { useToday } from "@/lib/ui/use-today";
import styles from "./impact-view.module.css";

const t = translator(impactTexts);

/** Payments of the period. */
export function Payouts({ report }: { readonly report: ImpactReport }) {
  const today = useToday();
  return (
    <section aria-labelledby="payouts">
      <h2 className={styles.title} id="payouts">
        {t("payouts")}
      </h2>
      <MoneyPages here="impact" />
      {report.disbursements.length === 0 ? (
        <p className="muted">{t("payouts.none")}</p>
      ) : (
        <PaidList
          rows={[
            ...report.disbursements.map((payout) => ({
              key: `${payout.date}-${payout.project}-${payout.cents}`,
              lead: formatDate(payout.date, today),
              name: (
                <>
                  <b><Booked sample={payout.sample} written={payout.title} /></b>
                  {payout.proposal ? <small className="muted"> {t("payouts.by-vote")}</small> : null}
                </>
              ),
              amount: inBothCurrencies(payout.cents, payout.foreign),
            })),
            ...(report.paidAbroad ?? []).map((sum) => ({
              key: sum.currency,
              name: <span className="muted">{foreignText("of-this", { currency: sum.currency })}</span>,
              amount: sumInBoth(sum),
            })),
          ]}
        />
      )}
    </section>
  );
}

/** Progress of each project at the end of the period. */
export function ProjectsProgress({ report }: { readonly report: ImpactReport }) {
  return (
    <section aria-labelledby="projects">
      <h2 className={styles.title} id="projects">
        {t("projects")}
      </h2>
      {report.projects.length === 0 ? <p className="muted">{t("projects.none")}</p> : null}
      <ul className={styles.list}>
        {report.projects.map((project) => (
          <li key={project.slug}>
            <p className={styles.line}>
              <span><Booked sample={project.sample} to={paths.project(project.slug)} written={project.title} /></span>
              {project.paidCents === 0 ? null : (
                <span className="muted sm">
                  {t("projects.paid", { amount: amountOf(project.paidCents, formatWholeDollars) })}
                </span>
              )}
            </p>
            {project.milestones.total === 0 ? null : (
              <ProgressBar
                label={t("projects.label", { title: project.title })}
                max={project.milestones.total}
                text={t("projects.progress", project.milestones)}
                tone="success"
                value={project.milestones.done}
              />
            )}
            {project.results.length === 0 ? null : (
              <dl className={styles.results}>
                {project.results.map((result) => (
                  <div key={result.id}>
                    <dt>{result.name}</dt>
                    <dd>
                      {measuredState(result)} · {measuredFigure(result)}
                    </dd>
                  </div>
                ))}
              </dl>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Decided and open proposals. */
export function Decisions({ report }: { readonly report: ImpactReport }) {
  return (
    <section aria-labelledby="votes">
      <h2 className={styles.title} id="votes">
        {t("votes")}
      </h2>
      {report.proposals.length === 0 ? (
        <p className="muted">{t("votes.none")}</p>
      ) : (
        <ul className={styles.list}>
          {report.proposals.map((proposal) => (
            <li key={proposal.id}>
              <p className={styles.line}>
                <span><Booked sample={proposal.sample} to={paths.proposal(proposal.slug)} written={proposal.title} /></span>
                <StatusBadge status={proposal.status} />
              </p>
              <p className="muted">{resultOf(proposal)}</p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function StatusBadge({ status }: { readonly status: string }) {
  if (status === "passed" || status === "funded")
    return <Badge tone="palm">{t(`status.${status}`)}</Badge>;
  if (status === "rejected") return <Badge>{t("status.rejected")}</Badge>;
  return status === "open" ? <Badge tone="marigold">{t("status.open")}</Badge> : null;
}

function resultOf({ tally }: ProposalRecord): string {
  if (tally === null) return t("votes.open");
  return t("votes.result", { yes: tally.yes ?? 0, no: tally.no ?? 0, roll: tally.roll });
}
