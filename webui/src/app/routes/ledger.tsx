import { LedgerView } from "@/features/ledger/ledger-view";
import { VoteStrip } from "@/features/voting/vote-strip";
import { useResource } from "@/lib/api/resource";
import { useSignedIn } from "@/lib/session/session";
import ledgerTexts from "@/messages/en/ledger.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(ledgerTexts);

export function LedgerPage() {
  const signedIn = useSignedIn();
  const votes = useResource("/user/get-proposals#open", signedIn);
  return (
    <>
      <PageMeta description={t("meta.text")} title={t("meta.title")} />
      {signedIn && votes.status === "loading" ? (
        <div className="waiting" />
      ) : (
        <>
          {signedIn ? <VoteStrip /> : null}
          <LedgerView />
        </>
      )}
    </>
  );
}
