import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Selvedge } from "@/components/band/band";
import { Button } from "@/components/button/button";
import { Icon } from "@/components/icon/icon";
import { SiteLogo } from "@/components/site-logo/site-logo";
import commonTexts from "@/messages/en/common.json";
import sessionTexts from "@/messages/en/session.json";
import { classNames } from "@/lib/ui/class-names";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import styles from "./split-page.module.css";

const common = translator(commonTexts);
const t = translator(sessionTexts);

/** A dyed panel beside a form: sign-in, joining, a new password. */
export function SplitPage({
  tone,
  words,
  onlyWide = false,
  art,
  narrow = false,
  onBack,
  children,
}: {
  readonly tone: "palm" | "hero";
  /** The headline of the panel and the text below it. */
  readonly words: ReactNode;
  /** Hides the text on a phone, where the form comes first. */
  readonly onlyWide?: boolean;
  /** The cloth at the bottom of the panel, on wide screens. */
  readonly art?: ReactNode;
  readonly narrow?: boolean;
  readonly onBack?: (() => void) | undefined;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles.page}>
      <div className={styles.edge}>
        <Selvedge />
      </div>
      <aside
        aria-label={t("panel")}
        className={classNames(styles.side, `field-${tone}`, tone === "palm" && "on-dark")}
      >
        <div className={styles.stick}>
          <div className={styles.pad}>
            <SiteLogo label={common("nav.home")} on={tone === "palm" ? "dark" : "marigold"} />
          </div>
          <div className={styles.fill}>
            <div className={classNames(styles.words, onlyWide && styles.wide)}>{words}</div>
            {art === undefined ? null : <div className={styles.art}>{art}</div>}
          </div>
        </div>
      </aside>
      <div className={styles.main}>
        <div className={styles.bar}>
          {onBack === undefined ? null : (
            <Button className={styles.back} icon="back" kind="quiet" onClick={onBack} size="sm">
              {t("back")}
            </Button>
          )}
          <Link aria-label={t("close")} className={styles.close} to={paths.home}>
            <Icon name="close" />
          </Link>
        </div>
        <div className={classNames(styles.body, narrow && styles.narrow)}>{children}</div>
      </div>
    </div>
  );
}

/** Hidden on a phone. */
export function OnWideScreens({ children }: { readonly children: ReactNode }) {
  return <div className={styles.wide}>{children}</div>;
}
