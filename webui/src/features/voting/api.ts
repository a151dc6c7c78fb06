import { apiSend } from "@/lib/api/api-client";
import {
  flag,
  list,
  number,
  object,
  optional,
  text,
  withDefault,
  type Decoder,
} from "@/lib/api/decode";
import { receiptDecoder, type Receipt } from "@/lib/models/receipt";
import type { Resource } from "@/lib/api/resource";

export type Submitter = {
  readonly name: string | null;
  readonly linkedinUrl: string;
  readonly image: string | null;
};

export type BudgetLine = { readonly description: string; readonly amountCents: number };

/** The counts of a vote; shares are of everybody who may vote. */
export type Tally = {
  readonly yes: number;
  readonly no: number;
  readonly roll: number;
  readonly notVoted: number;
  readonly needed: number;
};

export type Proposal = {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly fundingGoalCents: number;
  readonly country: string;
  readonly category: string;
  readonly endDate: string;
  readonly status: string;
  readonly upvotePercentage: number | null;
  readonly downvotePercentage: number | null;
  readonly votes: number | null;
  readonly submitters: readonly Submitter[];
  readonly storySections: string;
  readonly implementation: string;
  readonly budgetList: readonly BudgetLine[];
  readonly metrics: readonly string[];
  readonly tally: Tally | null;
  readonly openedAt: string | null;
  readonly decidedAt: string | null;
  readonly result: string | null;
  readonly project: string | null;
  readonly sample: boolean;
  readonly userVote: string | null;
};

export type Choice = "upvote" | "downvote";
export type Voted = { readonly status: string; readonly receipt: Receipt | null };

const metrics: Decoder<string[]> = (value, where) =>
  Array.isArray(value) ? list(text)(value, where) : [text(value, where)].filter(Boolean);

const proposal = object<Proposal>({
  id: text,
  slug: text,
  title: text,
  summary: withDefault(text, ""),
  fundingGoalCents: number,
  country: text,
  category: withDefault(text, ""),
  endDate: text,
  status: text,
  upvotePercentage: optional(number),
  downvotePercentage: optional(number),
  votes: optional(number),
  submitters: withDefault(
    list(object<Submitter>({ name: optional(text), linkedinUrl: text, image: optional(text) })),
    [],
  ),
  storySections: withDefault(text, ""),
  implementation: withDefault(text, ""),
  budgetList: withDefault(
    list(object<BudgetLine>({ description: text, amountCents: number })),
    [],
  ),
  metrics: withDefault(metrics, []),
  tally: optional(
    object<Tally>({ yes: number, no: number, roll: number, notVoted: number, needed: number }),
  ),
  openedAt: optional(text),
  decidedAt: optional(text),
  result: optional(text),
  project: optional(text),
  sample: withDefault(flag, false),
  userVote: optional(text),
});

/** Every proposal that may be seen: open votes first, then the decided ones. */
export const proposalList: Resource<Proposal[]> = {
  path: "/user/get-proposals",
  decode: list(proposal),
};

/** Sends a ballot. The nonce lets the same ballot be sent again without counting twice. */
export async function sendVote(id: string, voteType: Choice, nonce: string): Promise<Voted> {
  const answer = await apiSend(
    "POST",
    "/user/votes",
    { id, voteType, nonce },
    object({ user_vote_status: withDefault(text, "voted"), receipt: optional(receiptDecoder) }),
  );
  return { status: answer.user_vote_status, receipt: answer.receipt };
}
