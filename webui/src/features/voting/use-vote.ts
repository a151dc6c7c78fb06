import { useState } from "react";
import { useNavigate } from "react-router-dom";
import votingTexts from "@/messages/en/voting.json";
import { ApiError } from "@/lib/api-client";
import { translator } from "@/lib/messages";
import { notify } from "@/lib/notify";
import { paths } from "@/lib/paths";
import type { Receipt } from "@/lib/receipt";
import { useResourceCache } from "@/lib/resource";
import { useSignOut, useSignedIn } from "@/lib/session";
import { readVoteStatus, storeVoteStatus } from "@/lib/token-storage";
import { proposalList, sendVote, type Choice, type Proposal } from "./api";
import { keepNonce, keepReceipt, keptReceipt, lostChoice } from "./kept-ballot";

const t = translator(votingTexts);

export type Voting = {
  /** Whether the member's ballot on this proposal is counted. */
  readonly voted: boolean;
  readonly sending: Choice | null;
  readonly receipt: Receipt | null;
  /** The choice of a counted ballot whose answer never came. */
  readonly lost: Choice | null;
  readonly vote: (choice: Choice) => Promise<void>;
};

/** Votes on a proposal (spec §4, §8): who may, what is stored, and what a refusal means. */
export function useVote(proposal: Proposal): Voting {
  const signedIn = useSignedIn();
  const signOut = useSignOut();
  const navigate = useNavigate();
  const cache = useResourceCache();
  const [sending, setSending] = useState<Choice | null>(null);
  const status = signedIn ? readVoteStatus(proposal.id) : null;

  const vote = async (choice: Choice) => {
    if (!signedIn) {
      notify.warning(t("register"), "vote");
      return void navigate(paths.join);
    }
    if (sending !== null || status !== null) return;
    setSending(choice);
    try {
      await send(proposal.id, choice);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        // The sign-in has run out: whoever held it is a member, not somebody who has yet to join.
        notify.warning(error.message, "vote");
        signOut();
        return void navigate(paths.login);
      }
      takeRefusal(proposal.id, error);
    } finally {
      setSending(null);
    }
    cache.reload(proposalList);
  };

  return {
    voted: signedIn && (proposal.userVote !== null || status !== null),
    sending,
    receipt: signedIn ? keptReceipt(proposal.id) : null,
    lost: signedIn && proposal.userVote !== null && status === null ? lostChoice(proposal.id) : null,
    vote,
  };
}

async function send(proposalId: string, choice: Choice): Promise<void> {
  const nonce = keepNonce(proposalId, choice);
  const answer = await sendVote(proposalId, choice, nonce);
  storeVoteStatus(proposalId, answer.status);
  if (answer.receipt !== null) keepReceipt(proposalId, choice, answer.receipt);
}

function takeRefusal(proposalId: string, error: unknown): void {
  notify.error(error instanceof Error ? error.message : String(error), "vote");
  const status = error instanceof ApiError ? error.body["user_vote_status"] : null;
  if (typeof status === "string" && status !== "") storeVoteStatus(proposalId, status);
}
