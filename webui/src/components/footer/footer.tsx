import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Band } from "@/components/band/band";
import { LanguageLinks } from "@/components/language-links/language-links";
import { aboutGroup, impactGroup } from "@/components/header/site-links";
import commonTexts from "@/messages/en/common.json";
import { classNames } from "@/lib/ui/class-names";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import styles from "./footer.module.css";

const t = translator(commonTexts);
// The server fills the placeholder, and writes the organisation's own imprint into the page.
const imprint = import.meta.env.SSR ? undefined : document.documentElement.dataset["imprint"];
const STATEMENT = import.meta.env.SSR
  ? "{{statement}}"
  : imprint === undefined
    ? t("footer.statement")
    : t("footer.own", { imprint });

/** Cloth, newsletter, links, the registered-office statement and the legal links. */
export function Footer({
  newsletter,
  socialLinks,
  onLanguage,
}: {
  readonly newsletter: ReactNode;
  readonly socialLinks: readonly { readonly name: string; readonly url: string }[];
  readonly onLanguage: (language: string) => void;
}) {
  return (
    <>
      <Band />
      <footer className={classNames(styles.footer, "on-dark")}>
        <div className={classNames("wrap", styles.top)}>
          {newsletter}
          <div className={styles.columns}>
            <Column title={t("nav.about")}>
              {aboutGroup.links.map((link) => (
                <FooterLink key={link.to} {...link} />
              ))}
              <FooterLink label={t("nav.how")} to={paths.how} />
              <FooterLink label={t("nav.faq")} to={paths.faqs} />
            </Column>
            <Column title={t("nav.impact")}>
              {impactGroup.links.map((link) => (
                <FooterLink key={link.to} {...link} />
              ))}
              <FooterLink label={t("nav.grants")} to={paths.grants} />
              <FooterLink label={t("nav.proposals")} to={paths.proposals} />
              <FooterLink label={t("nav.finances")} to={paths.ledger} />
              <FooterLink label={t("footer.follow-money")} to={paths.follow} />
            </Column>
            <Column title={t("footer.follow")}>
              {socialLinks.map((link) => (
                <li key={link.url}>
                  <a href={link.url} rel="noopener me">
                    {link.name}
                  </a>
                </li>
              ))}
              <li>
                <a href={paths.feed}>{t("footer.feed")}</a>
              </li>
              <li>
                <a href={paths.calendar}>{t("footer.calendar")}</a>
              </li>
            </Column>
          </div>
        </div>
        <div className="wrap">
          <div className={styles.base}>
            <p>{STATEMENT}</p>
            <ul>
              <FooterLink label={t("legal.terms")} to={paths.terms} />
              <FooterLink label={t("legal.privacy")} to={paths.privacy} />
              <FooterLink label={t("legal.accessibility")} to={paths.accessibility} />
              <LanguageLinks onChoose={onLanguage} />
            </ul>
          </div>
        </div>
      </footer>
    </>
  );
}

function Column({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <nav aria-label={title}>
      <h2>{title}</h2>
      <ul>{children}</ul>
    </nav>
  );
}

function FooterLink({ to, label }: { readonly to: string; readonly label: string }) {
  return (
    <li>
      <Link to={to}>{label}</Link>
    </li>
  );
}
