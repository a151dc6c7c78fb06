import { ButtonAnchor, ButtonLink } from "@/components/button/button";
import { Card } from "@/components/card/card";
import { EmptyState } from "@/components/empty-state/empty-state";
import { FaqList } from "@/components/faq-list/faq-list";
import { FundSplit } from "@/components/fund-split/fund-split";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import faqTexts from "@/messages/en/faqs.json";
import { classNames } from "@/lib/ui/class-names";
import { useSiteConfig } from "@/lib/models/config";
import { translator } from "@/lib/text/messages";
import { mailPath, paths } from "@/lib/page/paths";
import { useResource } from "@/lib/api/resource";
import styles from "./faq-page.module.css";

const t = translator(faqTexts);

/** All questions, a contact card and the fund split. */
export function FaqView() {
  const faqs = useResource("/faqs");
  const config = useSiteConfig();
  const contact = config.data?.contactEmail ?? null;
  return (
    <>
      <div className="wrap page-head">
        <h1 className={classNames("d1", styles.title)}>{t("title")}</h1>
      </div>
      <div className={classNames("wrap halves", styles.body)}>
        <div className={classNames("sticky", styles.side)}>
          {contact === null ? null : (
            <Card className={styles.unsure}>
              <h2>{t("unsure")}</h2>
              <p>{t("unsure.text")}</p>
              <ButtonAnchor href={mailPath(contact)} icon="mail" size="sm">
                {t("contact")}
              </ButtonAnchor>
            </Card>
          )}
        </div>
        <div>
          <ResourceView skeleton={<div className="awaited"><Skeleton shape="block" /></div>} state={faqs} what={t("failed")}>
            {(all) =>
              all.length === 0 ? (
                <EmptyState title={t("empty")}>
                  <p className="muted">{t("empty-text")}</p>
                  <ButtonLink kind="line" to={paths.how}>
                    {t("how")}
                  </ButtonLink>
                </EmptyState>
              ) : (
                <FaqList faqs={all} open={all.slice(0, 2)} />
              )
            }
          </ResourceView>
          {faqs.status === "loading" ? null : (
            <section aria-labelledby="split" className={styles.split}>
              <h2 id="split">{t("split")}</h2>
              <ResourceView skeleton={<FundSplit policy={null} />} state={config} what={t("split.failed")}>
                {({ fundPolicy }) => <FundSplit policy={fundPolicy.weights} />}
              </ResourceView>
            </section>
          )}
        </div>
      </div>
    </>
  );
}
