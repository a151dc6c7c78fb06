import { flag, list, object, text, withDefault } from "@/lib/api/decode";
import type { Resource } from "@/lib/api/resource";

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
