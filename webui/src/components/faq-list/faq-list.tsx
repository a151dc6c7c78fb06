import { Accordion } from "@/components/accordion/accordion";
import { asWritten } from "@/lib/text/messages";
import type { Answer } from "@/lib/api/calls";

type Faqs = Answer<"/faqs">;

/** Questions and answers in an accordion. Answers are plain text. */
export function FaqList({
  faqs,
  open,
}: {
  readonly faqs: Faqs;
  readonly open: Faqs;
}) {
  const items = faqs.map(({ id, question, answer }) => ({
    id,
    title: <span {...asWritten}>{question}</span>,
    body: <p {...asWritten}>{answer}</p>,
  }));
  return <Accordion items={items} open={open.map(({ id }) => id)} />;
}
