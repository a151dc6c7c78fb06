import type { MouseEvent } from "react";
import { createPortal } from "react-dom";
import { Link } from "react-router-dom";
import { Selvedge } from "@/components/band/band";
import { ButtonAnchor, ButtonLink, Button, IconButton } from "@/components/button/button";
import { aboutGroup, impactGroup } from "@/components/header/site-links";
import { SiteLogo } from "@/components/site-logo/site-logo";
import commonTexts from "@/messages/en/common.json";
import { classNames } from "@/lib/ui/class-names";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { useModalDialog } from "@/lib/ui/use-modal-dialog";
import styles from "./drawer.module.css";

const t = translator(commonTexts);

/** The navigation on a phone, as a full-screen dialog. */
export function Drawer({
  signedIn,
  onSignOut,
  donateUrl,
  onClose,
}: {
  readonly signedIn: boolean;
  readonly onSignOut: () => void;
  readonly donateUrl: string | null;
  readonly onClose: () => void;
}) {
  const dialog = useModalDialog(onClose);
  const closeOnLink = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest("a") !== null) onClose();
  };
  return createPortal(
    // A link to the current page closes the drawer too.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      {...dialog}
      aria-label={t("nav.menu")}
      className={classNames(styles.drawer, "on-dark")}
      onClick={closeOnLink}
    >
      <Selvedge />
      <div className={styles.top}>
        <SiteLogo label={t("nav.home")} on="dark" />
        <IconButton icon="close" label={t("nav.close-menu")} onClick={onClose} />
      </div>
      <nav aria-label={t("nav.mobile")} className={styles.nav}>
        {[aboutGroup, impactGroup].map((group) => (
          <section key={group.title}>
            <h2>{group.title}</h2>
            <ul>
              {group.links.map((link) => (
                <li key={link.to}>
                  <Link to={link.to}>{link.label}</Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
        <section>
          <h2>{t("nav.open-books")}</h2>
          <ul>
            <li>
              <Link to={paths.ledger}>{t("nav.finances")}</Link>
            </li>
            <li>
              <Link to={paths.proposals}>{t("nav.proposals")}</Link>
            </li>
          </ul>
        </section>
        <section>
          <h2>{t("legal")}</h2>
          <p className={styles.legal}>
            <Link to={paths.terms}>{t("legal.terms")}</Link>
            <Link to={paths.privacy}>{t("legal.privacy")}</Link>
          </p>
        </section>
      </nav>
      <div className={styles.foot}>
        <ButtonLink block kind="accent" to={signedIn ? paths.dashboard : paths.join}>
          {signedIn ? t("nav.dashboard") : t("nav.join")}
        </ButtonLink>
        <div className={styles.pair}>
          {signedIn ? (
            <Button
              block
              kind="line"
              onClick={() => {
                onClose();
                onSignOut();
              }}
            >
              {t("nav.sign-out")}
            </Button>
          ) : (
            <ButtonLink block kind="line" to={paths.login}>
              {t("nav.sign-in")}
            </ButtonLink>
          )}
          {donateUrl === null ? (
            <ButtonLink block kind="line" to={paths.donate}>
              {t("nav.donate")}
            </ButtonLink>
          ) : (
            <ButtonAnchor block href={donateUrl} icon="external" kind="line">
              {t("nav.donate")}
            </ButtonAnchor>
          )}
        </div>
      </div>
    </dialog>,
    document.body,
  );
}
