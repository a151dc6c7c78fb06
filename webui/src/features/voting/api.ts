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
  type Infer,
} from "@/lib/api/decode";
import { receiptDecoder, type Receipt } from "@/lib/models/receipt";

export type Choice = "upvote" | "downvote";
export type Voted = { readonly status: string; readonly receipt: Receipt | null };

const submitter = object({ name: optional(text), linkedinUrl: text, image: optional(text) });

const budgetLine = object({ description: text, amountCents: number });

/** The counts of a vote; `roll` is the number of people who may vote. */
const tally = object({ yes: number, no: number, roll: number, notVoted: number, needed: number });

const metrics: Decoder<readonly string[]> = (value, where) =>
  Array.isArray(value) ? list(text)(value, where) : [text(value, where)].filter(Boolean);

const proposal = object({
  id: text,
  slug: text,
  title: text,
  summary: withDefault(text, ""),
  fundingGoalCents: number,
  country: text,
  countryCode: optional(text),
  category: withDefault(text, ""),
  endDate: text,
  status: text,
  upvotePercentage: optional(number),
  downvotePercentage: optional(number),
  votes: optional(number),
  submitters: withDefault(list(submitter), []),
  storySections: withDefault(text, ""),
  implementation: withDefault(text, ""),
  budgetList: withDefault(list(budgetLine), []),
  metrics: withDefault(metrics, []),
  tally: optional(tally),
  openedAt: optional(text),
  decidedAt: optional(text),
  result: optional(text),
  project: optional(text),
  sample: withDefault(flag, false),
  userVote: optional(text),
});

export type Submitter = Infer<typeof submitter>;
export type BudgetLine = Infer<typeof budgetLine>;
export type Tally = Infer<typeof tally>;
export type Proposal = Infer<typeof proposal>;

/** All visible proposals: open votes first, then decided ones. */
export const proposalList = { path: "/user/get-proposals", decode: list(proposal) };

/**
 * Sends a ballot. The nonce lets the same ballot be sent again without counting twice; the
 * padding makes a yes as long as a no, so that the length of the request does not tell it.
 */
export async function sendVote(id: string, voteType: Choice, nonce: string): Promise<Voted> {
  const answer = await apiSend(
    "POST",
    "/user/votes",
    { id, voteType, nonce, padding: voteType === "upvote" ? "  " : "" },
    object({ user_vote_status: withDefault(text, "voted"), receipt: optional(receiptDecoder) }),
  );
  return { status: answer.user_vote_status, receipt: answer.receipt };
}
