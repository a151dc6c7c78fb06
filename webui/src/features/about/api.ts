import { list, number, object, oneOf, optional, text } from "@/lib/api/decode";
import type { Resource } from "@/lib/api/resource";

export type RoadmapItem = {
  readonly id: string;
  readonly title: string;
  readonly status: "Planning" | "In Progress" | "Complete";
  readonly description: string | null;
  /** Which live figure stands beside the target. */
  readonly measure: "changemakers" | "monthlyIncome" | null;
  readonly targetCount: number | null;
  readonly targetCents: number | null;
};

export const roadmapList: Resource<RoadmapItem[]> = {
  path: "/roadmap",
  decode: list(
    object<RoadmapItem>({
      id: text,
      title: text,
      status: oneOf(["Planning", "In Progress", "Complete"]),
      description: optional(text),
      measure: optional(oneOf(["changemakers", "monthlyIncome"])),
      targetCount: optional(number),
      targetCents: optional(number),
    }),
  ),
};
