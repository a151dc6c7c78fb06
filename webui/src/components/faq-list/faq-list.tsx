import { Accordion } from "@/components/accordion/accordion";
import { OriginalText } from "@/components/original-text/original-text";
import type { Answer } from "@/lib/api/calls";
import { writtenIn } from "@/lib/text/written";

type Faqs = Answer<"/faqs">;

/** Questions and answers in an accordion. Answers are plain text. */
export function FaqList({
  faqs,
  open,
}: {
  readonly faqs: Faqs;
  readonly open: Faqs;
}) {
  const items = faqs.map((faq) => ({
    id: faq.id,
    title: <span {...writtenIn(faq, "question")}>{faq.question}</span>,
    body: (
      <>
        <p {...writtenIn(faq, "answer")}>{faq.answer}</p>
        <OriginalText item={faq} />
      </>
    ),
  }));
  return <Accordion items={items} open={open.map(({ id }) => id)} />;
}
