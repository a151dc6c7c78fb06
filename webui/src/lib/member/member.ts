import { apiGet } from "@/lib/api/api-client";
import {
  dictionary,
  flag,
  list,
  number,
  object,
  oneOf,
  optional,
  text,
  withDefault,
} from "@/lib/api/decode";
import type { Resource } from "@/lib/api/resource";

export type PledgeStatus = "incomplete" | "active" | "past_due" | "paused" | "canceled";

export type TodoItem = {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly completed: boolean;
  readonly icon: string;
  readonly actionText: string;
};

/** Whoever is signed in, as the server shows them to themselves. */
export type Member = {
  readonly id: string;
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string;
  readonly country: string;
  /** Whole dollars a month. */
  readonly subscriptionAmount: number;
  readonly billingDay: "current" | "1" | "28" | null;
  readonly pledgeStatus: PledgeStatus | null;
  readonly nextChargeOn: string | null;
  readonly skipsOn: string | null;
  readonly mayVoteFrom: string | null;
  readonly memberSince: string;
  readonly notifications: boolean;
  readonly votes: Readonly<Record<string, string>>;
  readonly todo: readonly TodoItem[];
};

export const todoItems = list(
  object<TodoItem>({
    id: text,
    title: text,
    description: text,
    completed: flag,
    icon: withDefault(text, ""),
    actionText: withDefault(text, ""),
  }),
);

const member = object<Member>({
  id: text,
  firstname: text,
  lastname: text,
  email: text,
  country: withDefault(text, ""),
  subscriptionAmount: number,
  billingDay: optional(oneOf(["current", "1", "28"])),
  pledgeStatus: optional(oneOf(["incomplete", "active", "past_due", "paused", "canceled"])),
  nextChargeOn: optional(text),
  skipsOn: optional(text),
  mayVoteFrom: optional(text),
  memberSince: withDefault(text, ""),
  notifications: flag,
  votes: withDefault(dictionary(text), {}),
  todo: withDefault(todoItems, []),
});

const profile = object({ user: member });

export const memberProfile: Resource<Member> = {
  path: "/user/get-profile",
  decode: (value) => profile(value).user,
};

const POLL_MS = 2000;
const POLL_LIMIT_MS = 15_000;

/**
 * Asks until the pledge is no longer incomplete: every two seconds, for fifteen at most (money §2).
 * Returns how it stands then.
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

// A question that got no answer is asked again; it says nothing about the pledge.
async function readPledgeStatus(): Promise<PledgeStatus | null> {
  try {
    return (await apiGet(memberProfile.path, memberProfile.decode)).pledgeStatus;
  } catch {
    return "incomplete";
  }
}
