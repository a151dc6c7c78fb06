import { list, mapped, number, object, optional, text, withDefault, type Infer } from "@/lib/api/decode";

const openVote = object({
  id: text,
  slug: text,
  title: text,
  category: withDefault(text, ""),
  endDate: text,
  status: text,
  tally: optional(object({ needed: number })),
  userVote: optional(text),
});

export type OpenVote = Infer<typeof openVote>;

/** The votes in progress. The fragment is not sent; it tells this answer's decoder apart. */
export const openVotes = {
  path: "/user/get-proposals#open",
  decode: mapped(list(openVote), (all) => all.filter(({ status }) => status === "open")),
};
