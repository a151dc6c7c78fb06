import type { ProjectCard } from "@/api/schema";

/** Projects as the home page shows them: real before sample, in progress first, then in the operator's order. */
export function byRank(projects: readonly ProjectCard[]): ProjectCard[] {
  return projects.toSorted((one, other) => rank(one) - rank(other));
}

function rank({ sample, status }: ProjectCard): number {
  return (sample ? 2 : 0) + (status === "In Progress" ? 0 : 1);
}
