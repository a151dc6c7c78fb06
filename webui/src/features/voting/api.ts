import type * as api from "@/api/schema";
import { apiSend } from "@/lib/api/api-client";

export type Choice = api.Vote["voteType"];

/** A proposal; for a member with whether they have voted on it. */
export type Proposal = api.Proposal;

/**
 * Sends a ballot. The nonce lets the same ballot be sent again without counting twice; the
 * padding makes a yes as long as a no, so that the length of the request does not tell it.
 */
export function sendVote(id: string, voteType: Choice, nonce: string): Promise<api.Voted> {
  const padding = voteType === "upvote" ? "  " : "";
  return apiSend("POST /user/votes", { id, voteType, nonce, padding });
}
