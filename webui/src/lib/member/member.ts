import { apiGet } from "@/lib/api/api-client";
import {
  dictionary,
  flag,
  list,
  mapped,
  number,
  object,
  oneOf,
  optional,
  text,
  withDefault,
  type Infer,
} from "@/lib/api/decode";
import { OTHER_WAYS } from "@/lib/models/other-ways";

const todoItem = object({
  id: text,
  title: text,
  description: text,
  completed: flag,
  icon: withDefault(text, ""),
  actionText: withDefault(text, ""),
});

export type TodoItem = Infer<typeof todoItem>;
export const todoItems = list(todoItem);

const member = object({
  id: text,
  firstname: text,
  lastname: text,
  email: text,
  emailConfirmed: withDefault(flag, true),
  /** A new address that counts once its owner opens the link sent to it. */
  pendingEmail: optional(text),
  country: withDefault(text, ""),
  language: withDefault(text, "en"),
  /** Whole dollars a month. */
  subscriptionAmount: number,
  billingDay: optional(oneOf(["current", "1", "28"])),
  pledgeStatus: optional(oneOf(["incomplete", "active", "past_due", "paused", "canceled"])),
  /** How the pledge is paid. */
  way: optional(oneOf(["card", ...OTHER_WAYS])),
  nextChargeOn: optional(text),
  /** What the card will be charged next. */
  nextCharges: withDefault(list(object({ date: text, amountCents: number })), []),
  skipsOn: optional(text),
  /** Whether a ballot of theirs would be counted now. */
  mayVote: withDefault(flag, false),
  mayVoteFrom: optional(text),
  memberSince: withDefault(text, ""),
  notifications: flag,
  votes: withDefault(dictionary(text), {}),
  todo: withDefault(todoItems, []),
});

/** True while the pledge is paid without a card. */
export function paysWithoutCard({ way, pledgeStatus }: Member): boolean {
  return way !== null && way !== "card" && pledgeStatus !== "canceled";
}

/** The profile of the member who is signed in. */
export type Member = Infer<typeof member>;
type PledgeStatus = NonNullable<Member["pledgeStatus"]>;

export const memberProfile = {
  path: "/user/get-profile",
  decode: mapped(object({ user: member }), ({ user }) => user),
};

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
    return (await apiGet(memberProfile.path, memberProfile.decode)).pledgeStatus;
  } catch {
    return "incomplete";
  }
}
