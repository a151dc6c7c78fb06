import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import type { MemberTrace, User } from "@/api/schema";
import { Button, ButtonLink } from "@/components/button/button";
import { EmptyState } from "@/components/empty-state/empty-state";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import { ApiError } from "@/lib/api/api-client";
import { useResource } from "@/lib/api/resource";
import { useProfile } from "@/lib/member/member-context";
import { useServerDay } from "@/lib/models/use-server-day";
import { paths } from "@/lib/page/paths";
import { useSignedIn } from "@/lib/session/session";
import { amountOf, formatDate } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { classNames } from "@/lib/ui/class-names";
import { useToday } from "@/lib/ui/use-today";
import yearTexts from "@/messages/en/year.json";
import { Flow } from "./flow";
import { partsOfTrace } from "./flow-parts";
import { YearCloth } from "./year-cloth";
import styles from "./year-view.module.css";

const t = translator(yearTexts);

/** A member's year on one page to print: the months, the money, the votes. */
export function YearView({
  year,
  votes,
}: {
  readonly year: string;
  /** The votes of the year that ended while the reader was a member. */
  readonly votes: (memberSince: string) => ReactNode;
}) {
  const signedIn = useSignedIn();
  const trace = useResource(`/user/impact?from=${year}-01-01&to=${year}-12-31`, signedIn);
  const profile = useProfile(signedIn);
  // A year that has not begun has no statement.
  const isUnbegun = trace.error instanceof ApiError && trace.error.status === 422;
  return (
    <div className={classNames("wrap", styles.page)}>
      {signedIn ? (
        isUnbegun ? (
          <Empty year={year} />
        ) : (
          <ResourceView
            heading={t("title", { year })}
            skeleton={<div className="waiting"><Skeleton shape="block" /></div>}
            state={trace}
            what={t("failed")}
          >
            {(data) =>
              data.contributions.length === 0 && data.refundedCents === 0 ? (
                <Empty year={year} />
              ) : (
                <ResourceView heading={t("title", { year })} skeleton={<div className="waiting" />} state={profile} what={t("member.failed")}>
                  {({ user }) => <Year member={user} trace={data} votes={votes} year={year} />}
                </ResourceView>
              )
            }
          </ResourceView>
        )
      ) : (
        <>
          <h1 className="vh">{t("title", { year })}</h1>
          <EmptyState title={t("login.text")}>
            <ButtonLink to={paths.login}>{t("login")}</ButtonLink>
          </EmptyState>
        </>
      )}
    </div>
  );
}

function Empty({ year }: { readonly year: string }) {
  return (
    <>
      <h1 className="vh">{t("title", { year })}</h1>
      <EmptyState title={t("empty", { year })}>
        <p className="muted">{t("empty.text")}</p>
        <ButtonLink to={paths.myImpact}>{t("whole")}</ButtonLink>
      </EmptyState>
    </>
  );
}

function Year({
  year,
  member,
  trace,
  votes,
}: {
  readonly year: string;
  readonly member: User;
  readonly trace: MemberTrace;
  readonly votes: (memberSince: string) => ReactNode;
}) {
  const today = useToday();
  const isOver = useServerDay() > `${year}-12-31`;
  const parts = partsOfTrace(trace.funds, useResource("/projects").data ?? []);
  const given = amountOf(trace.paidCents);
  return (
    <article aria-label={t("title", { year })} className={styles.year}>
      <header className={styles.head}>
        <div>
          <p className={styles.name}>{member.firstname} {member.lastname}</p>
          <h1 className="d1">{t("title", { year })}</h1>
          {isOver ? null : <p className="muted">{t("so-far")}</p>}
        </div>
        <div className={classNames("no-print", styles.actions)}>
          <Button onClick={() => window.print()}>{t("print")}</Button>
          <Link className="link" to={paths.myImpact}>{t("whole")}</Link>
        </div>
      </header>
      <YearCloth contributions={trace.contributions} member={member} year={year} />
      {parts.length === 0 ? null : (
        <Flow parts={parts} title={t("went", { amount: given })} />
      )}
      {trace.refundedCents === 0 ? null : (
        <p>{t("back", { amount: amountOf(trace.refundedCents), year })}</p>
      )}
      {votes(member.memberSince)}
      <p className={classNames("meta", styles.books)}>
        {t("books", {
          date: formatDate(trace.books.at ?? trace.period.to, today),
          size: trace.books.size,
          root: trace.books.root,
        })}
      </p>
    </article>
  );
}
