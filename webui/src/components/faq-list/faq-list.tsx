import { Accordion } from "@/components/accordion/accordion";
import { asWritten } from "@/lib/text/messages";
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
    title: <span {...asWritten}>{question}</span>,
    body: <p {...asWritten}>{answer}</p>,
  }));
  return <Accordion items={items} open={open.map(({ id }) => id)} />;
}
