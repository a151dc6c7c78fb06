import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import type { MemberTrace } from "@/api/schema";
import { ButtonLink } from "@/components/button/button";
import { EmptyState } from "@/components/empty-state/empty-state";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import tracingTexts from "@/messages/en/tracing.json";
import { classNames } from "@/lib/ui/class-names";
import { formatDate } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { useResource } from "@/lib/api/resource";
import { useSignedIn } from "@/lib/session/session";
import { useHydrated } from "@/lib/page/use-hydrated";
import { useToday } from "@/lib/ui/use-today";
import { SampleStory } from "./sample-story";
import { StatementDownload } from "./statement-download";
import { TraceStory, useStory } from "./trace-story";
import { fundSums } from "./trace-sums";
import { ContributionList } from "./contribution-list";
import { FundTable } from "./fund-table";
import { PaidShares } from "./paid-shares";
import { TraceFigures } from "./trace-figures";
import styles from "./trace-view.module.css";

const t = translator(tracingTexts);

/** Where a member's own dollars went. */
export function TraceView() {
  const hydrated = useHydrated();
  const signedIn = useSignedIn();
  const trace = useResource("/user/impact", signedIn);
  return (
    <Page>
      {signedIn ? (
        <ResourceView skeleton={<Skeleton shape="block" />} state={trace} what={t("failed")}>
          {(data) =>
            data.contributions.length === 0 ? (
              <EmptyState title={t("empty")} />
            ) : (
              <TraceParts trace={data} />
            )
          }
        </ResourceView>
      ) : (
        <div className={hydrated ? undefined : "for-visitors"}>
          <EmptyState title={t("login.text")}>
            <ButtonLink to={paths.login}>{t("login")}</ButtonLink>
          </EmptyState>
          <SampleStory />
        </div>
      )}
    </Page>
  );
}

function Page({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <div className="wrap page-head">
        <h1 className="d1">{t("title")}</h1>
        <p className="lead">{t("intro")}</p>
      </div>
      {/* As high as the window, so that the footer does not jump. */}
      <div className={classNames("wrap waiting", styles.parts)}>{children}</div>
    </>
  );
}

/** Links to the years in which the member gave, newest first. */
function Years({ contributions }: Pick<MemberTrace, "contributions">) {
  const years = [...new Set(contributions.map(({ date }) => date.slice(0, 4)))].toSorted().toReversed();
  return (
    <p className="row">
      <span>{t("years")}</span>
      {years.map((year) => (
        <Link className="link" key={year} to={paths.myYear(year)}>
          {year}
        </Link>
      ))}
    </p>
  );
}

function TraceParts({ trace }: { readonly trace: MemberTrace }) {
  const today = useToday();
  const projects = trace.funds.projects?.paid ?? [];
  const running = fundSums(trace).filter(({ fund }) => fund !== "projects");
  if (!useStory(projects)) return <Skeleton shape="block" />;
  return (
    <>
      <section aria-labelledby="story" className={styles.part}>
        <h2 id="story">{t("story.title")}</h2>
        {projects.length === 0 ? <p className="lead">{t("shares.empty")}</p> : null}
        <TraceStory
          isOwn
          paid={projects}
          runningCents={running.reduce((sum, { paidCents }) => sum + paidCents, 0)}
        />
      </section>
      <TraceFigures trace={trace} />
      <Years contributions={trace.contributions} />
      <details className={styles.every}>
        <summary>{t("story.every")}</summary>
        <PaidShares trace={trace} />
        <FundTable trace={trace} />
      </details>
      <ContributionList contributions={trace.contributions} />
      <StatementDownload today={trace.period.to} />
      <p className={classNames("meta", styles.books)}>
        {t("books", {
          date: formatDate(trace.period.to, today),
          size: trace.books.size,
          root: trace.books.root,
        })}
      </p>
    </>
  );
}
