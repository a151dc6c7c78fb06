import { lazyDialog, lazyPart } from "@/components/lazy-part/lazy-part";
import { Skeleton } from "@/components/skeleton/skeleton";
import { NotFound } from "@/components/not-found/not-found";
import { ProposalPageView } from "@/features/voting/proposal-page";
import votingTexts from "@/messages/en/voting.json";
import { useSiteConfig } from "@/lib/models/config";
import { fullName } from "@/lib/member/own-tile";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { useResource } from "@/lib/api/resource";
import { useSignedIn } from "@/lib/session/session";

const t = translator(votingTexts);
// Loaded on demand: most readers neither share a proposal nor check a ballot.
const ShareDialog = lazyDialog(async () => (await import("@/features/sharing/share-dialog")).ShareDialog);
const ReceiptCard = lazyPart(
  async () => (await import("@/features/receipts/receipt-card")).ReceiptCard,
  <Skeleton />,
);
const CheckMyVote = lazyPart(
  async () => (await import("@/features/receipts/check-my-vote")).CheckMyVote,
  <Skeleton />,
);

/** A proposal's page, composed of voting, sharing and receipts. */
export function ProposalScreen({ slug }: { readonly slug: string | null }) {
  const config = useSiteConfig();
  const signedIn = useSignedIn();
  const member = useResource("/user/get-profile", signedIn);
  return (
    <ProposalPageView
      notFound={
        <div className="waiting">
          <NotFound />
        </div>
      }
      slots={{
        memberName: member.data === null ? null : fullName(member.data.user),
        renderShare: (proposal, onClose) => {
          const site = config.data?.siteUrl ?? window.location.origin;
          const url = `${site.replace(/\/$/, "")}${paths.proposal(proposal.slug)}`;
          return (
            <ShareDialog
              message={t("share.message", { title: proposal.title, url })}
              onClose={onClose}
              url={url}
            />
          );
        },
        renderReceipt: (receipt) => <ReceiptCard receipt={receipt} />,
        renderCheck: (receipt) => <CheckMyVote receipt={receipt} />,
      }}
      slug={slug}
    />
  );
}
