import { Link } from "react-router-dom";
import type { ProjectPage } from "@/api/schema";
import { ButtonAnchor, ButtonLink } from "@/components/button/button";
import { Card } from "@/components/card/card";
import { ProgressBar } from "@/components/progress-bar/progress-bar";
import catalogueTexts from "@/messages/en/catalogue.json";
import pageTexts from "@/messages/en/project-page.json";
import { classNames } from "@/lib/ui/class-names";
import { useSiteConfig } from "@/lib/models/config";
import { formatWholeDollars } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { writtenIn } from "@/lib/text/written";
import { useSignedIn } from "@/lib/session/session";
import { paths } from "@/lib/page/paths";
import styles from "./money-card.module.css";

const t = translator(pageTexts);
const catalogue = translator(catalogueTexts);

/** Cost and progress of a project, and a call to join. */
export function MoneyCard({ project }: { readonly project: ProjectPage }) {
  const done = project.milestones.filter((milestone) => milestone.completed);
  const doneCents = done.reduce((sum, milestone) => sum + milestone.costCents, 0);
  const signedIn = useSignedIn();
  const donateUrl = useSiteConfig().data?.donateUrl ?? null;
  return (
    <Card>
      <p className="muted">{catalogue("project.used")}</p>
      <p className={classNames("num", styles.used)}>
        {formatWholeDollars(project.capitalUsedCents)}
      </p>
      {project.fundingGoalCents === null ? null : (
        <p className="sm muted">
          {t("project.goal", { goal: formatWholeDollars(project.fundingGoalCents) })}
        </p>
      )}
      {doneCents > 0 && doneCents === project.capitalUsedCents ? (
        <p className="sm muted">{t("project.used-note", { count: done.length })}</p>
      ) : null}
      {project.milestones.length === 0 ? null : (
        <div className={styles.progress}>
          <ProgressBar
            label={t("project.progress-label")}
            max={project.milestones.length}
            text={t("project.progress", { done: done.length, total: project.milestones.length })}
            tone="success"
            value={done.length}
          />
        </div>
      )}
      {project.completion ? <p className="sm" {...writtenIn(project, "completion")}>{project.completion}</p> : null}
      {project.vote === null ? null : (
        <p className={styles.vote}>
          {t("project.vote")}.{" "}
          <Link className="link" to={paths.proposal(project.vote.slug)}>
            {t("project.vote-link", { title: project.vote.title })}
          </Link>
        </p>
      )}
      <div className={styles.actions}>
        {signedIn ? (
          <ButtonLink block to={paths.myImpact}>
            {t("project.mine")}
          </ButtonLink>
        ) : (
          <ButtonLink block to={paths.join}>
            {t("project.join")}
          </ButtonLink>
        )}
        {donateUrl === null ? (
          <ButtonLink block kind="line" to={paths.donate}>
            {t("project.donate")}
          </ButtonLink>
        ) : (
          <ButtonAnchor block href={donateUrl} icon="external" kind="line">
            {t("project.donate")}
          </ButtonAnchor>
        )}
      </div>
    </Card>
  );
}
