import { frayedPicture } from "@/art/pictures";
import { ButtonLink } from "@/components/button/button";
import { SvgArt } from "@/components/svg-art/svg-art";
import pageTexts from "@/messages/en/pages.json";
import { classNames } from "@/lib/ui/class-names";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";
import { paths } from "@/lib/page/paths";
import styles from "./not-found.module.css";

const t = translator(pageTexts);

/** The 404 page. */
export function NotFound() {
  return (
    <>
      <PageMeta description={t("missing.meta-text")} index={false} title={t("missing.meta")} />
      <section className={classNames("wrap halves halves-eq", styles.page)}>
        <div className={styles.text}>
          <p className={styles.code}>{t("missing.code")}</p>
          <h1 className="d1">{t("missing")}</h1>
          <p className="lead">{t("missing.text")}</p>
          <div className="row">
            <ButtonLink to={paths.home}>{t("missing.home")}</ButtonLink>
            <ButtonLink kind="line" to={paths.projects}>
              {t("missing.projects")}
            </ButtonLink>
          </div>
        </div>
        <SvgArt inner={frayedPicture()} viewBox="0 0 600 420" />
      </section>
    </>
  );
}
