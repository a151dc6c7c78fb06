import type { User } from "@/api/schema";
import membershipTexts from "@/messages/en/membership.json";
import { voteEnds } from "@/lib/member/member";
import { useServerDay } from "@/lib/models/use-server-day";
import { formatDate } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";

const t = translator(membershipTexts);

/** Until when the member may vote without another payment; else the given text. */
export function useVoteText(member: User, otherwise: string): string {
  const today = useServerDay();
  const ends = voteEnds(member, today);
  if (ends === null) return otherwise;
  return t("contribution.vote-until", { date: formatDate(ends, new Date(today)) });
}
