import { CheckMyVote } from "@/features/receipts/check-my-vote";
import { ReceiptCard } from "@/features/receipts/receipt-card";
import { ShareDialog } from "@/features/sharing/share-dialog";
import { ProposalPageView } from "@/features/voting/proposal-page";
import votingTexts from "@/messages/en/voting.json";
import { useSiteConfig } from "@/lib/config";
import { memberProfile } from "@/lib/member";
import { translator } from "@/lib/messages";
import { paths } from "@/lib/paths";
import { useResource } from "@/lib/resource";
import { useSignedIn } from "@/lib/session";
import { NotFoundPage } from "./routes/not-found";

const t = translator(votingTexts);

/** A proposal's page, put together from voting, sharing and receipts. */
export function ProposalScreen({ slug }: { readonly slug: string | null }) {
  const config = useSiteConfig();
  const signedIn = useSignedIn();
  const member = useResource(memberProfile, signedIn);
  return (
    <ProposalPageView
      notFound={<NotFoundPage />}
      slots={{
        memberName: member.data?.firstname ?? null,
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
