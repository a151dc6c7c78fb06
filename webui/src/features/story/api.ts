import { flag, list, number, object, oneOf, optional, text, withDefault } from "@/lib/decode";
import type { Resource } from "@/lib/resource";

export type Faq = {
  readonly id: string;
  readonly question: string;
  readonly answer: string;
  readonly onHome: boolean;
};

export const faqList: Resource<Faq[]> = {
  path: "/faqs",
  decode: list(
    object<Faq>({ id: text, question: text, answer: text, onHome: withDefault(flag, false) }),
  ),
};

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
