import { Accordion } from "@/components/accordion/accordion";
import type { Faq } from "@/lib/models/faq";

/** Questions and answers in an accordion. Answers are plain text. */
export function FaqList({
  faqs,
  open,
}: {
  readonly faqs: readonly Faq[];
  readonly open: readonly Faq[];
}) {
  const items = faqs.map(({ id, question, answer }) => ({
    id,
    title: question,
    body: <p>{answer}</p>,
  }));
  return <Accordion items={items} open={open.map(({ id }) => id)} />;
}
