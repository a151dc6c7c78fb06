import { useParams } from "react-router-dom";
import { ButtonLink } from "@/components/button/button";
import { EmptyState } from "@/components/empty-state/empty-state";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import { EntryView } from "@/features/following/entry-view";
import { EntryProof } from "@/features/receipts/entry-proof";
import { ApiError } from "@/lib/api/api-client";
import { useResource } from "@/lib/api/resource";
import { PageMeta } from "@/lib/page/page-meta";
import { paths } from "@/lib/page/paths";
import { translator } from "@/lib/text/messages";
import entryTexts from "@/messages/en/entry.json";

const t = translator(entryTexts);

export function EntryPage() {
  const { id = "" } = useParams();
  const entry = useResource(`/ledger/entries/${encodeURIComponent(id)}`);
  const isMissing = entry.error instanceof ApiError && entry.error.status === 404;
  return (
    <>
      <PageMeta description={t("meta.text")} index={false} title={t("meta.title")} />
      {isMissing ? (
        <div className="wrap waiting page-head">
          <h1 className="vh">{t("meta.title")}</h1>
          <EmptyState title={t("missing", { id })}>
            <p className="muted">{t("missing.text")}</p>
            <ButtonLink to={paths.ledger}>{t("missing.go")}</ButtonLink>
          </EmptyState>
        </div>
      ) : (
        <ResourceView
          heading={t("meta.title")}
          skeleton={<div className="wrap waiting page-head"><Skeleton shape="block" /></div>}
          state={entry}
          what={t("failed")}
        >
          {(data) => <EntryView entry={data} key={data.id} proof={<EntryProof proof={data.proof} />} />}
        </ResourceView>
      )}
    </>
  );
}
