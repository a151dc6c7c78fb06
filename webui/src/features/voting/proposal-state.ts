import type { Proposal } from "./api";

const DAY_MS = 86_400_000;

/** Whether voting has closed. */
export function isClosed(proposal: Pick<Proposal, "status" | "endDate">, now: Date): boolean {
  return proposal.status !== "open" || now.getTime() >= endOf(proposal);
}

/** The end of a vote in milliseconds; a bare date ends with that day in UTC. */
export function endOf({ endDate }: Pick<Proposal, "endDate">): number {
  const isBareDate = endDate.length === 10;
  return isBareDate ? new Date(`${endDate}T00:00:00Z`).getTime() + DAY_MS : Date.parse(endDate);
}

/** Yes and No as shares of the roll; null if there are no votes or the server sent none. */
export function sharesOf(proposal: Pick<Proposal, "votes" | "upvotePercentage" | "downvotePercentage">): {
  readonly yes: number | null;
  readonly no: number | null;
} {
  if (!proposal.votes) return { yes: null, no: null };
  return { yes: proposal.upvotePercentage, no: proposal.downvotePercentage };
}

/** The text that Listen reads: title, summary and the open sections. */
export function spokenText(title: string, summary: string, sections: readonly Element[]): string {
  const open = sections.map((section) => section.textContent ?? "");
  return [title, summary, ...open].map((part) => part.replaceAll(/\s+/g, " ").trim()).join(". ");
}
