import { flag, list, object, text, withDefault, type Infer } from "@/lib/api/decode";

const faq = object({ id: text, question: text, answer: text, onHome: withDefault(flag, false) });

export type Faq = Infer<typeof faq>;

export const faqList = { path: "/faqs", decode: list(faq) };
