import { Link } from "react-router-dom";
import type { ProjectCommitment, ProjectPage } from "@/api/schema";
import { Releases } from "@/components/releases/releases";
import pageTexts from "@/messages/en/project-page.json";
import { foreignText, inBothCurrencies, sumInBoth } from "@/lib/text/foreign";
import { formatCents, formatDate } from "@/lib/text/format";
import { rich, translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { useToday } from "@/lib/ui/use-today";
import styles from "./money-trail.module.css";

const t = translator(pageTexts);

/** A project's money from the vote to the milestones, in the ledger's amounts. */
export function MoneyTrail({ project }: { readonly project: ProjectPage }) {
  const done = project.milestones.filter((milestone) => milestone.completed).length;
  return (
    <>
      <dl className={styles.trail}>
        {project.vote === null ? null : (
          <>
            <dt>{t("trail.vote")}</dt>
            <dd>
              <Link className="link" to={paths.proposal(project.vote.slug)}>
                {project.vote.title}
              </Link>
            </dd>
          </>
        )}
        {project.commitment === null ? null : <Promised commitment={project.commitment} />}
        <dt>{t("trail.paid")}</dt>
        <dd>
          {project.payouts.length === 0 ? (
            t("trail.none")
          ) : (
            <Payouts project={project} />
          )}
        </dd>
        {project.milestones.length === 0 ? null : (
          <>
            <dt>{t("trail.milestones")}</dt>
            <dd>
              <a className="link" href="#milestones">
                {t("project.progress", { done, total: project.milestones.length })}
              </a>
            </dd>
          </>
        )}
      </dl>
      <p className="sm muted">
        {rich(t("trail.check"), {
          ledger: (inner) => (
            <Link className="link" to={paths.ledger}>
              {inner}
            </Link>
          ),
          check: (inner) => (
            <Link className="link" to={paths.checkVote}>
              {inner}
            </Link>
          ),
        })}
      </p>
    </>
  );
}

function Promised({ commitment }: { readonly commitment: ProjectCommitment }) {
  const parts = [
    { cents: commitment.heldCents, words: t("trail.held") },
    { cents: commitment.queuedCents, words: t("trail.queued") },
    { cents: commitment.releasedCents, words: t("trail.released") },
  ].filter((part) => part.cents > 0);
  return (
    <>
      <dt>{t("trail.promised")}</dt>
      <dd>
        <span className="num">{formatCents(commitment.goalCents)}</span>
        {parts.map((part) => (
          <span className={styles.part} key={part.words}>
            <span className="num">{formatCents(part.cents)}</span> {part.words}
          </span>
        ))}
        <Releases releases={commitment.releases} />
      </dd>
    </>
  );
}

function Payouts({ project }: { readonly project: ProjectPage }) {
  const today = useToday();
  return (
    <>
      <ul className={styles.payouts}>
        <li className={styles.total}>
          <span>{t("trail.total")}</span>
          <span className="num">{formatCents(project.paidCents)}</span>
        </li>
        {project.paidAbroad.map((sum) => (
          <li key={sum.currency}>
            <span>{foreignText("of-this", { currency: sum.currency })}</span>
            <span className="num">{sumInBoth(sum)}</span>
          </li>
        ))}
      </ul>
      <details className={styles.every}>
        <summary>{t("trail.every")}</summary>
        <ul className={styles.payouts}>
          {project.payouts.map((payout) => (
            <li key={payout.entry}>
              <span>
                {formatDate(payout.date, today)}
                {payout.cents < 0 ? ` · ${t("trail.back")}` : null}
              </span>
              <span className="num">{inBothCurrencies(payout.cents, payout.foreign)}</span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}
