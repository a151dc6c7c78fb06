import { Link } from "react-router-dom";
import { FaqList } from "@/components/faq-list/faq-list";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import homeTexts from "@/messages/en/home-rest.json";
import { classNames } from "@/lib/ui/class-names";
import { translator } from "@/lib/text/messages";
import { mailPath, paths } from "@/lib/page/paths";
import { useResource } from "@/lib/api/resource";
import { useSiteConfig } from "@/lib/models/config";
import { useNearViewport } from "@/lib/ui/use-near-viewport";
import styles from "./home-faq.module.css";

const t = translator(homeTexts);

/** The questions on the home page; nothing if none is for it. */
export function HomeFaq() {
  const contact = useSiteConfig().data?.contactEmail ?? null;
  const [ref, near] = useNearViewport<HTMLElement>();
  const faqs = useResource("/faqs", near);
  if (faqs.data?.every((faq) => !faq.onHome)) return null;
  return (
    <section aria-labelledby="faq-title" className="below section" ref={ref}>
      <div className="wrap halves">
        <div className={classNames("sticky stack", styles.head)}>
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
            return <FaqList faqs={shown} open={shown.slice(0, 1)} />;
          }}
        </ResourceView>
      </div>
    </section>
  );
}
