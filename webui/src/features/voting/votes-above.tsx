import type { ReactNode } from "react";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import { useResource } from "@/lib/api/resource";
import { useSignedIn } from "@/lib/session/session";
import { translator } from "@/lib/text/messages";
import openVoteTexts from "@/messages/en/open-vote.json";
import { VoteStrip } from "./vote-strip";

const t = translator(openVoteTexts);

/** The vote in progress; says so if it is not known whether there is one. */
export function KnownVoteStrip() {
  const votes = useResource("/user/get-proposals#open");
  return (
    <ResourceView skeleton={<Skeleton shape="block" />} state={votes} what={t("failed")}>
      {() => <VoteStrip />}
    </ResourceView>
  );
}

/** A page with the vote in progress above it for members; they see it once that is known, or it would move down. */
export function BelowVotes({ children }: { readonly children: ReactNode }) {
  const signedIn = useSignedIn();
  const { status } = useResource("/user/get-proposals#open", signedIn);
  return (
    <>
      {signedIn ? <KnownVoteStrip /> : null}
      {signedIn && status === "loading" ? <div className="waiting" /> : children}
    </>
  );
}
