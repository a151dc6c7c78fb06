/** API answers about the signed-in member. */
import type { PaymentByOtherWay, Profile, TodoItem, User } from "@/api/schema";

export function aMember(changes: Partial<User> = {}): User {
  return {
    id: "m1",
    firstname: "Amara",
    lastname: "Joseph",
    email: "amara@example.org",
    emailConfirmed: true,
    pendingEmail: null,
    emailStoppedOn: null,
    language: "en",
    way: "card",
    country: "Canada",
    isHomeCurrency: false,
    subscriptionAmount: 10,
    billingDay: "current",
    pledgeStatus: "active",
    nextChargeOn: "2026-12-20",
    nextCharges: [
      { date: "2026-12-20", amountCents: 1000 },
      { date: "2027-01-20", amountCents: 1000 },
      { date: "2027-02-20", amountCents: 1000 },
    ],
    skipsOn: null,
    dueCents: null,
    retriesOn: [],
    mayVote: true,
    mayVoteFrom: "2026-10-20",
    mayVoteUntil: "2027-02-04",
    voteHeldSince: null,
    memberSince: "2026-10-20",
    notifications: false,
    emailChoice: "nothing",
    votes: {},
    todo: [
      aTodo({ id: "invite-a-friend", title: "Invite a friend", completed: false, icon: "invite" }),
      aTodo({ id: "spread-the-word", title: "Spread the word", icon: "share" }),
      aTodo({ id: "join-the-conversation", title: "Join the conversation", icon: "chat" }),
    ],
    ...changes,
  };
}

export function aTodo(changes: Partial<TodoItem> = {}): TodoItem {
  return {
    id: "x",
    title: "X",
    description: "Why.",
    completed: true,
    icon: "",
    actionText: "Go",
    ...changes,
  };
}

export function aProfile(changes: Partial<User> = {}): Profile {
  return { success: true, message: "Profile loaded", user: aMember(changes) };
}

/** How a member pays by transfer, with a code as small as possible. */
export function aPayment(changes: Partial<PaymentByOtherWay> = {}): PaymentByOtherWay {
  return {
    way: "transfer",
    subscriptionAmount: 10,
    pledgeStatus: "incomplete",
    reference: "J7K3-QXW2",
    paidUntil: null,
    mayVoteUntil: null,
    details: "",
    iban: "DE89 3704 0044 0532 0130 00",
    holder: "Jara e.V.",
    code: { size: 45, path: "M4 4h7v1h-7z" },
    ...changes,
  };
}
