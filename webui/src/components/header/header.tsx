import { useState } from "react";
import { Drawer } from "@/components/drawer/drawer";
import { Link, useLocation } from "react-router-dom";
import { ButtonLink, IconButton } from "@/components/button/button";
import { Icon } from "@/components/icon/icon";
import { SiteLogo } from "@/components/site-logo/site-logo";
import commonTexts from "@/messages/en/common.json";
import { classNames } from "@/lib/ui/class-names";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { useScrolledDown } from "@/lib/ui/use-scrolled-down";
import { HeaderMenu } from "./header-menu";
import { aboutGroup, impactGroup } from "./site-links";
import styles from "./header.module.css";

const t = translator(commonTexts);

export type HeaderProps = {
  readonly signedIn: boolean;
  readonly onSignOut: () => void;
  /** External page for one-time gifts, if there is one. */
  readonly donateUrl: string | null;
  /** Hides the bar until the reader scrolls down (the project page). */
  readonly revealOnScroll?: boolean;
};

/** The header: two menus, one open at a time; on a phone a drawer. */
export function Header(props: HeaderProps) {
  const [openMenu, setOpenMenu] = useState<string | null>(null);
  const [drawerOpen, setDrawerOpen] = useState(false);
  const { pathname } = useLocation();
  const revealed = useScrolledDown(80);
  const [lastPath, setLastPath] = useState(pathname);
  if (lastPath !== pathname) {
    setLastPath(pathname);
    setOpenMenu(null);
    setDrawerOpen(false);
  }
  const hidden = props.revealOnScroll === true && !revealed;
  return (
    <header
      className={classNames(
        styles.bar,
        props.revealOnScroll === true && styles.over,
        hidden && styles.hidden,
      )}
    >
      <div className={classNames("wrap", styles.inner)}>
        <SiteLogo label={t("nav.home")} />
        <nav aria-label={t("nav.main")} className={styles.nav}>
          {[aboutGroup, impactGroup].map((group) => (
            <HeaderMenu
              group={group}
              key={group.title}
              onToggle={(open) => setOpenMenu(open ? group.title : null)}
              open={openMenu === group.title}
            />
          ))}
          <Link aria-current={pathname === paths.ledger ? "page" : undefined} to={paths.ledger}>
            {t("nav.finances")}
          </Link>
        </nav>
        <div className={styles.end}>
          <DonateLink url={props.donateUrl} />
          <SessionLink onSignOut={props.onSignOut} signedIn={props.signedIn} />
          <ButtonLink
            className={styles.keep}
            size="sm"
            to={props.signedIn ? paths.dashboard : paths.join}
          >
            {props.signedIn ? t("nav.dashboard") : t("nav.join")}
          </ButtonLink>
          <IconButton
            aria-expanded={drawerOpen}
            className={classNames(styles.keep, styles.burger)}
            icon="menu"
            label={t("nav.open-menu")}
            onClick={() => setDrawerOpen(true)}
          />
        </div>
      </div>
      {drawerOpen ? (
        <Drawer {...props} onClose={() => setDrawerOpen(false)} />
      ) : null}
    </header>
  );
}

function DonateLink({ url }: { readonly url: string | null }) {
  if (url === null) return <Link to={paths.donate}>{t("nav.donate")}</Link>;
  return (
    <a href={url} rel="noopener">
      {t("nav.donate")} <Icon name="external" />
      <span className="vh">{t("nav.donate-note")}</span>
    </a>
  );
}

function SessionLink({ signedIn, onSignOut }: Pick<HeaderProps, "signedIn" | "onSignOut">) {
  if (!signedIn) return <Link to={paths.login}>{t("nav.sign-in")}</Link>;
  return (
    <button onClick={onSignOut} type="button">
      {t("nav.sign-out")}
    </button>
  );
}
