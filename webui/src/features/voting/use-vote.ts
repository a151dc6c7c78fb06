import { useCallback, useState } from "react";
import { useNavigate } from "react-router-dom";
import votingTexts from "@/messages/en/voting.json";
import { ApiError } from "@/lib/api/api-client";
import { translator } from "@/lib/text/messages";
import { isLoss, notify } from "@/lib/ui/notify";
import { useWhenOnline } from "@/lib/ui/use-when-online";
import { paths } from "@/lib/page/paths";
import { useResourceCache } from "@/lib/api/resource";
import { useSignedIn } from "@/lib/session/session";
import { readVoteStatus, storeVoteStatus } from "@/lib/session/ballot-storage";
import type { Receipt } from "@/api/schema";
import { sendVote, type Choice, type Proposal } from "./api";
import { storedChoice, storeNonce, storeReceipt, storedReceipt, unansweredChoice } from "./stored-ballot";

const t = translator(votingTexts);

export type Voting = {
  /** Whether the member's ballot on this proposal is counted. */
  readonly voted: boolean;
  /** Whether an earlier ballot counts, and the one that was just pressed was not cast. */
  readonly notCast: boolean;
  readonly sending: Choice | null;
  /** Why the last ballot was not counted, until the next attempt. */
  readonly refusal: string | null;
  /** Whether the last ballot got no answer, so that it may be cast. */
  readonly unsure: boolean;
  /** True if the server said that the vote has ended, whatever this browser's clock says. */
  readonly ended: boolean;
  readonly receipt: Receipt | null;
  /** The counted choice, as far as this browser knows it. */
  readonly own: Choice | null;
  /** The choice of a counted ballot that got no answer. */
  readonly lost: Choice | null;
  /** Whether a ballot can be sent, as far as this browser knows. */
  readonly mayChoose: () => boolean;
  readonly vote: (choice: Choice) => Promise<void>;
};

/** Votes on a proposal (spec §4, §8): who may, what is stored, and what a refusal means. */
export function useVote(proposal: Proposal): Voting {
  const signedIn = useSignedIn();
  const navigate = useNavigate();
  const cache = useResourceCache();
  const [sending, setSending] = useState<Choice | null>(null);
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const [notCast, setNotCast] = useState(false);
  const status = signedIn ? readVoteStatus(proposal.id) : null;

  const reload = useCallback(() => void cache.reload("/user/get-proposals"), [cache]);
  const unsure = isLoss(refusal);
  // Says whether the ballot was counted.
  useWhenOnline(unsure ? reload : null);

  const vote = async (choice: Choice) => {
    if (!signedIn) {
      notify.warning(t("register"), "vote");
      return void navigate(paths.join);
    }
    if (sending !== null) return;
    // Read again: another tab may have voted since this one was drawn.
    if (readVoteStatus(proposal.id) !== null) {
      setNotCast(true);
      return reload();
    }
    setSending(choice);
    setRefusal(null);
    try {
      await send(proposal.id, choice);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        // The session has expired: send the member to sign in, not to join.
        return void navigate(paths.login, { state: t("session-ended") });
      }
      const refused = takeRefusal(proposal.id, error);
      setRefusal(refused);
      setNotCast(refused === null);
    } finally {
      setSending(null);
    }
    reload();
  };

  const voted = signedIn && (Boolean(proposal.userVote) || status !== null);
  return {
    voted,
    notCast: voted && notCast,
    own: voted ? storedChoice(proposal.id) : null,
    sending,
    refusal: refusal?.message ?? null,
    unsure,
    ended: refusal?.code === "voting_closed",
    receipt: signedIn ? storedReceipt(proposal.id) : null,
    lost: signedIn && proposal.userVote && status === null ? unansweredChoice(proposal.id) : null,
    mayChoose: () => signedIn && readVoteStatus(proposal.id) === null,
    vote,
  };
}

async function send(proposalId: string, choice: Choice): Promise<void> {
  const nonce = storeNonce(proposalId, choice);
  const { receipt } = await sendVote(proposalId, choice, nonce);
  storeVoteStatus(proposalId, "voted");
  storeReceipt(proposalId, choice, receipt);
}

/** Shows the server's message and stores the status that came with it. */
function takeRefusal(proposalId: string, error: unknown): ApiError | null {
  // Without a network the dialog says so, in the one place where it goes when the network is back.
  if (!isLoss(error)) notify.error(error, "vote");
  if (!(error instanceof ApiError)) return null;
  const status = error.body["user_vote_status"];
  if (typeof status !== "string" || status === "") return error;
  storeVoteStatus(proposalId, status);
  return null;
}
