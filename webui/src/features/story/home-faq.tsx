import { Accordion } from "@/components/accordion/accordion";
import { Link } from "@/components/link/link";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import homeTexts from "@/messages/en/home-rest.json";
import { classNames } from "@/lib/class-names";
import { translator } from "@/lib/messages";
import { mailPath, paths } from "@/lib/paths";
import { useResource } from "@/lib/resource";
import { useNearViewport } from "@/lib/use-near-viewport";
import { faqList, type Faq } from "./api";
import styles from "./home-faq.module.css";

const t = translator(homeTexts);

/** Answers as the accordion shows them; plain text, one paragraph each. */
export function faqItems(faqs: readonly Faq[]) {
  return faqs.map((faq) => ({ id: faq.id, title: faq.question, body: <p>{faq.answer}</p> }));
}

/** The questions that stand on the home page. */
export function HomeFaq({ contact }: { readonly contact: string | null }) {
  const [ref, near] = useNearViewport<HTMLElement>();
  const faqs = useResource(faqList, near);
  return (
    <section aria-labelledby="faq-title" className="below section" ref={ref}>
      <div className="wrap halves">
        <div className={"sticky stack"}>
          <h2 id="faq-title">{t("faq.title")}</h2>
          {contact === null ? null : (
            <>
              <p className={classNames("muted", styles.text)}>{t("faq.else")}</p>
              <p>
                <a className="link" href={mailPath(contact)}>
                  {t("faq.contact")}
                </a>
              </p>
            </>
          )}
          <p>
            <Link className="link" to={paths.faqs}>
              {t("faq.all")}
            </Link>
          </p>
        </div>
        <ResourceView skeleton={<Skeleton shape="block" />} state={faqs} what={t("faq.failed")}>
          {(all) => {
            const shown = all.filter((faq) => faq.onHome);
            return <Accordion items={faqItems(shown)} open={openAtFirst(shown)} />;
          }}
        </ResourceView>
      </div>
    </section>
  );
}

// The first and the third are open, so that people see that several can be.
function openAtFirst(faqs: readonly Faq[]): string[] {
  return faqs.filter((_, index) => index === 0 || index === 2).map((faq) => faq.id);
}
