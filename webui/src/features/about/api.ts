import { list, number, object, oneOf, optional, text, type Infer } from "@/lib/api/decode";

const roadmapItem = object({
  id: text,
  title: text,
  status: oneOf(["Planning", "In Progress", "Complete"]),
  description: optional(text),
  completedOn: optional(text),
  /** The live figure that is shown beside the target. */
  measure: optional(oneOf(["changemakers", "monthlyIncome"])),
  targetCount: optional(number),
  targetCents: optional(number),
});

export type RoadmapItem = Infer<typeof roadmapItem>;

export const roadmapList = { path: "/roadmap", decode: list(roadmapItem) };
