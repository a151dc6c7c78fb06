import type { Proposal } from "./api";

const DAY_MS = 86_400_000;

/** Whether no more votes are taken. */
export function isClosed(proposal: Pick<Proposal, "status" | "endDate">, now: Date): boolean {
  return proposal.status !== "open" || now.getTime() >= endOf(proposal);
}

/** The moment at which a vote ends, in milliseconds; a bare date ends with that day, UTC (contract). */
export function endOf({ endDate }: Pick<Proposal, "endDate">): number {
  const isBareDate = endDate.length === 10;
  return isBareDate ? new Date(`${endDate}T00:00:00Z`).getTime() + DAY_MS : Date.parse(endDate);
}

/** Yes and No as shares of the roll; null while nobody has voted, or the server did not say. */
export function sharesOf(proposal: Proposal): {
  readonly yes: number | null;
  readonly no: number | null;
} {
  if (proposal.votes === 0) return { yes: null, no: null };
  return { yes: proposal.upvotePercentage, no: proposal.downvotePercentage };
}

/** What Listen reads out: the title, the summary, and the sections that are open. */
export function spokenText(title: string, summary: string, sections: readonly Element[]): string {
  const open = sections.map((section) => section.textContent ?? "");
  return [title, summary, ...open].map((part) => part.replaceAll(/\s+/g, " ").trim()).join(". ");
}
