import type { User } from "@/api/schema";
import { apiGet } from "@/lib/api/api-client";

type PledgeStatus = NonNullable<User["pledgeStatus"]>;

/** True while the pledge is paid without a card. */
export function paysWithoutCard({ way, pledgeStatus }: User): boolean {
  return way !== null && way !== "card" && pledgeStatus !== "canceled";
}

/** The charges to announce: none while one that failed is tried again, on days that are said elsewhere. */
export function comingCharges({ nextCharges, pledgeStatus }: User): User["nextCharges"] {
  return pledgeStatus === "past_due" ? [] : nextCharges;
}

/** The last day of the vote, if it ends before the next charge can prolong it. */
export function voteEnds(member: User, today: string): string | null {
  const { mayVote, mayVoteUntil, nextCharges, pledgeStatus } = member;
  if (!mayVote || mayVoteUntil === null || mayVoteUntil < today) return null;
  const next = pledgeStatus === "active" ? nextCharges[0]?.date : undefined;
  return next !== undefined && next <= mayVoteUntil ? null : mayVoteUntil;
}

const POLL_MS = 2000;
const POLL_LIMIT_MS = 15_000;

/**
 * Polls every two seconds, for at most fifteen, until the pledge is no longer incomplete.
 * Returns the last status.
 */
export function waitForPledge(): Promise<PledgeStatus | null> {
  return askUntil(Date.now() + POLL_LIMIT_MS);
}

async function askUntil(giveUpAt: number): Promise<PledgeStatus | null> {
  const status = await readPledgeStatus();
  if (status !== "incomplete" || Date.now() + POLL_MS > giveUpAt) return status;
  await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  return askUntil(giveUpAt);
}

// A failed request says nothing about the pledge: poll again.
async function readPledgeStatus(): Promise<PledgeStatus | null> {
  try {
    return (await apiGet("/user/get-profile")).user.pledgeStatus;
  } catch {
    return "incomplete";
  }
}
