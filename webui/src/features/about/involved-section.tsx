import { Link } from "react-router-dom";
import { ButtonAnchor, ButtonLink } from "@/components/button/button";
import { Card } from "@/components/card/card";
import { ClothPiece } from "@/components/tile/tile";
import aboutTexts from "@/messages/en/about.json";
import { classNames } from "@/lib/ui/class-names";
import type { SiteConfig } from "@/lib/models/config";
import { translator } from "@/lib/text/messages";
import { mailPath, paths } from "@/lib/page/paths";
import { useSignedIn } from "@/lib/session/session";
import { formatDollars } from "@/lib/text/format";
import { pledgeDollarsMin } from "@/rules.json";
import styles from "./about-sections.module.css";

const t = translator(aboutTexts);

/** How to get involved, for new and for experienced givers. */
export function InvolvedSection({ config }: { readonly config: SiteConfig | null }) {
  const signedIn = useSignedIn();
  const chat = config?.chatUrl ?? null;
  return (
    <section
      aria-labelledby="involved"
      className={classNames("field-sunken section", styles.involved)}
    >
      <div className="wrap">
        <h2 className={styles.opener} id="involved">
          {t("involved")}
        </h2>
        <p className={classNames("lead", styles.need)}>{t("involved.need")}</p>
        <div className={classNames("halves halves-eq", styles.audiences)}>
          <Card className={styles.audience}>
            <div className={styles.strip}>
              <ClothPiece columns={1} rows={8} />
            </div>
            <div className={styles.audienceText}>
              <h3>{t("new")}</h3>
              <p>{t("new.text", { minimum: formatDollars(pledgeDollarsMin) })}</p>
              <ButtonLink size="sm" to={signedIn ? paths.dashboard : paths.join}>
                {signedIn ? t("new.dashboard") : t("new.join")}
              </ButtonLink>
            </div>
          </Card>
          <Card className={styles.audience}>
            <div className={styles.strip}>
              <ClothPiece columns={1} from={9} rows={8} />
            </div>
            <div className={styles.audienceText}>
              <h3>{t("seasoned")}</h3>
              <p>{t("seasoned.text")}</p>
              {chat === null ? (
                <MailButton config={config} />
              ) : (
                <ButtonAnchor href={chat} newTab size="sm">
                  {t("seasoned.chat")}
                </ButtonAnchor>
              )}
            </div>
          </Card>
        </div>
      </div>
    </section>
  );
}

/** Sharing and contact. */
export function LastSection({ config }: { readonly config: SiteConfig | null }) {
  const contact = config?.contactEmail ?? null;
  return (
    <section className="section">
      <div className="wrap halves halves-eq">
        <div className={styles.last}>
          <h2>{t("spread")}</h2>
          <p className="lead">{t("spread.text")}</p>
          <ButtonLink icon="share" to={paths.share}>
            {t("spread.share")}
          </ButtonLink>
        </div>
        <div className={styles.last}>
          <h2>{t("more")}</h2>
          <p className="lead">
            <Link className="link" to={paths.faqs}>
              {t("more.faqs")}
            </Link>
          </p>
          {contact === null ? null : (
            <ButtonAnchor href={mailPath(contact)} icon="mail" kind="line">
              {t("more.ask")}
            </ButtonAnchor>
          )}
        </div>
      </div>
    </section>
  );
}

function MailButton({ config }: { readonly config: SiteConfig | null }) {
  const contact = config?.contactEmail ?? null;
  if (contact === null) return null;
  return (
    <ButtonAnchor href={mailPath(contact)} size="sm">
      {t("seasoned.chat")}
    </ButtonAnchor>
  );
}
