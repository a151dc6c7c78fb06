import type { ProjectCard } from "@/api/schema";
import type { Answer } from "@/lib/api/calls";

export type Category = ProjectCard["category"];
export type ProjectStatus = ProjectCard["status"];
export type Grant = Answer<"/grants">[number];
export type TeamMember = Answer<"/team">[number];

/** The path of one project, by its slug or title. */
export function projectPath(name: string) {
  return `/projects/${encodeURIComponent(name)}` as const;
}
