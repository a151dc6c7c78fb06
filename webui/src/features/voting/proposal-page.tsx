import type { ReactNode } from "react";
import { ButtonLink } from "@/components/button/button";
import { EmptyState } from "@/components/empty-state/empty-state";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import votingTexts from "@/messages/en/voting.json";
import { classNames } from "@/lib/class-names";
import { translator } from "@/lib/messages";
import { PageMeta } from "@/lib/page-meta";
import { paths } from "@/lib/paths";
import { useResource } from "@/lib/resource";
import { proposalList, type Proposal } from "./api";
import { ProposalArticle, type ProposalSlots } from "./proposal-article";
import { ProposalList } from "./proposal-list";
import styles from "./proposal-article.module.css";

const t = translator(votingTexts);

/** The first proposal of the list, or the one with this slug; the others stand below it. */
export function ProposalPageView({
  slug,
  slots,
  notFound,
}: {
  readonly slug: string | null;
  readonly slots: ProposalSlots;
  /** What is shown where no proposal has the slug. */
  readonly notFound: ReactNode;
}) {
  const proposals = useResource(proposalList);
  return (
    <>
      {slug === null ? <PageMeta description={t("meta.text")} title={t("meta.title")} /> : null}
      <ResourceView skeleton={<Waiting />} state={proposals} what={t("failed")}>
        {(all) => {
          if (slug === null && all.length === 0) return <Nothing />;
          const shown = slug === null ? all[0] : all.find((one) => isNamed(one, slug));
          if (shown === undefined) return notFound;
          return <Shown all={all} isNamedInAddress={slug !== null} shown={shown} slots={slots} />;
        }}
      </ResourceView>
    </>
  );
}

function Shown({
  all,
  shown,
  isNamedInAddress,
  slots,
}: {
  readonly all: readonly Proposal[];
  readonly shown: Proposal;
  readonly isNamedInAddress: boolean;
  readonly slots: ProposalSlots;
}) {
  const others = all.filter((one) => one !== shown);
  return (
    <>
      {isNamedInAddress ? <PageMeta description={shown.summary} title={shown.title} /> : null}
      <ProposalArticle key={shown.id} proposal={shown} slots={slots} />
      {others.length === 0 ? null : <ProposalList proposals={others} />}
    </>
  );
}

function isNamed(proposal: Proposal, name: string): boolean {
  return proposal.slug === name || proposal.id === name;
}

function Nothing() {
  return (
    <div className="wrap section">
      <h1 className="vh">{t("meta.title")}</h1>
      <EmptyState title={t("empty")}>
        <ButtonLink kind="line" to={paths.projects}>
          {t("empty-next")}
        </ButtonLink>
      </EmptyState>
    </div>
  );
}

function Waiting() {
  return (
    <>
      <div className={classNames("wrap", styles.head)}>
        <Skeleton />
        <h1>
          <Skeleton shape="title" />
        </h1>
      </div>
      <div className={classNames("wrap halves halves-side", styles.body)}>
        <Skeleton shape="picture" />
        <Skeleton shape="block" />
      </div>
    </>
  );
}
