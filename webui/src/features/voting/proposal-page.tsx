import { useState, type ReactNode } from "react";
import { ButtonLink } from "@/components/button/button";
import { EmptyState } from "@/components/empty-state/empty-state";
import { ResourceView } from "@/components/resource-view/resource-view";
import votingTexts from "@/messages/en/voting.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";
import { paths } from "@/lib/page/paths";
import { useResource } from "@/lib/api/resource";
import { useErrorNotice } from "@/lib/api/use-error-notice";
import { proposalList, type Proposal } from "./api";
import { ProposalArticle, type ProposalSlots } from "./proposal-article";
import { ProposalWaiting } from "./proposal-head";
import { ProposalList } from "./proposal-list";

const t = translator(votingTexts);

/** The first proposal of the list, or the one with this slug, with the others below. */
export function ProposalPageView({
  slug,
  slots,
  notFound,
}: {
  readonly slug: string | null;
  readonly slots: ProposalSlots;
  /** Shown if no proposal has the slug. */
  readonly notFound: ReactNode;
}) {
  const proposals = useResource(proposalList);
  useErrorNotice(proposals.error);
  return (
    <>
      {slug === null ? <PageMeta description={t("meta.text")} title={t("meta.title")} /> : null}
      <ResourceView
        skeleton={
          <>
            {/* For a slug the server writes the head. */}
            {slug === null ? <Unscripted /> : null}
            <ProposalWaiting path={slug === null ? paths.proposals : paths.proposal(slug)} />
          </>
        }
        state={proposals}
        what={t("failed")}
      >
        {(all) => {
          if (slug === null) return <FirstShown all={all} slots={slots} />;
          const shown = all.find((one) => isNamed(one, slug));
          if (shown === undefined) return notFound;
          return <Shown all={all} isNamedInAddress shown={shown} slots={slots} />;
        }}
      </ResourceView>
    </>
  );
}

/** The first of the array (spec §3); it stays on the page even when its vote ends. */
function FirstShown({
  all,
  slots,
}: {
  readonly all: readonly Proposal[];
  readonly slots: ProposalSlots;
}) {
  const [first] = useState(all[0]?.id);
  const shown = all.find(({ id }) => id === first) ?? all[0];
  if (shown === undefined) return <Nothing />;
  return <Shown all={all} isNamedInAddress={false} shown={shown} slots={slots} />;
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
      {isNamedInAddress ? (
        <PageMeta
          description={shown.summary}
          path={paths.proposal(shown.slug)}
          title={shown.title}
        />
      ) : null}
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

/** A general text for readers without scripts and search engines. */
function Unscripted() {
  return (
    <noscript>
      <div className="wrap section stack">
        <h1>{t("meta.title")}</h1>
        <p className="lead">{t("meta.text")}</p>
        <p>{t("waiting.text")}</p>
      </div>
    </noscript>
  );
}
