import { useState, type ReactNode } from "react";
import { ButtonLink } from "@/components/button/button";
import { EmptyState } from "@/components/empty-state/empty-state";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import votingTexts from "@/messages/en/voting.json";
import { translator } from "@/lib/text/messages";
import { writtenIn } from "@/lib/text/written";
import { useFirstView } from "@/lib/page/first-view";
import { PageMeta } from "@/lib/page/page-meta";
import { paths } from "@/lib/page/paths";
import { useResource } from "@/lib/api/resource";
import { useSignedIn } from "@/lib/session/session";
import { useErrorNotice } from "@/lib/api/use-error-notice";
import type { Proposal } from "./api";
import { ProposalArticle, type ProposalSlots } from "./proposal-article";
import { PartsWaiting, ProposalFrame } from "./proposal-head";
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
  const proposals = useResource("/user/get-proposals");
  const first = useFirstView(slug === null ? paths.proposals : paths.proposal(slug));
  const shown = useShown(proposals.data ?? [], slug);
  useErrorNotice(proposals.error);
  const view = (
    <ResourceView heading={t("meta.title")} skeleton={<PartsWaiting first={first} />} state={proposals} what={t("failed")}>
      {() => {
        if (shown === undefined) return slug === null ? <Nothing /> : notFound;
        return <ProposalArticle key={shown.id} proposal={shown} slots={slots} />;
      }}
    </ResourceView>
  );
  const isWaiting = proposals.status === "loading";
  const others = proposals.data?.filter((one) => one !== shown) ?? [];
  const title = shown?.title ?? first?.title ?? <Skeleton shape="title" />;
  return (
    <>
      <Meta shown={shown} slug={slug} />
      {/* For a slug the server writes the head. */}
      {slug === null && isWaiting ? <Unscripted /> : null}
      {shown === undefined && !isWaiting ? (
        view
      ) : (
        <ProposalFrame
          isWaiting={isWaiting}
          title={title}
          written={shown === undefined ? {} : writtenIn(shown, "title")}
        >
          {view}
        </ProposalFrame>
      )}
      {shown === undefined || others.length === 0 ? null : <ProposalList proposals={others} />}
    </>
  );
}

function Meta({
  shown,
  slug,
}: {
  readonly shown: Proposal | undefined;
  readonly slug: string | null;
}) {
  if (slug === null) return <PageMeta description={t("meta.text")} title={t("meta.title")} />;
  if (shown === undefined) return null;
  return (
    <PageMeta description={shown.summary} path={paths.proposal(shown.slug)} title={shown.title} />
  );
}

/** The proposal with this slug; without one, the first of the array (spec §3). */
function useShown(all: readonly Proposal[], slug: string | null): Proposal | undefined {
  // The first stays on the page even when its vote ends.
  const [kept, setKept] = useState<string>();
  if (slug !== null) return all.find((one) => isNamed(one, slug));
  const shown = all.find(({ id }) => id === kept) ?? all[0];
  if (kept === undefined && shown !== undefined) setKept(shown.id);
  return shown;
}

function isNamed(proposal: Proposal, name: string): boolean {
  return proposal.slug === name || proposal.id === name;
}

/** Leads on to what members have funded; where there is nothing of that either, to joining. */
function Nothing() {
  const isNew = useResource("/projects").data?.length === 0;
  const signedIn = useSignedIn();
  return (
    <div className="wrap section">
      <h1 className="vh">{t("meta.title")}</h1>
      <EmptyState title={t("empty")}>
        <p className="muted">{t("empty-text")}</p>
        {isNew && signedIn ? null : (
          <ButtonLink kind="line" to={isNew ? paths.join : paths.projects}>
            {t(isNew ? "empty-first" : "empty-next")}
          </ButtonLink>
        )}
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
