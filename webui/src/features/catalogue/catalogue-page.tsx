import type { ReactNode } from "react";
import { MoneyPages } from "@/components/money-pages/money-pages";
import { LinkTabs } from "@/components/tabs/tabs";
import catalogueTexts from "@/messages/en/catalogue.json";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import styles from "./catalogue-page.module.css";

const t = translator(catalogueTexts);

/** Projects and grants, a tab each (spec §2). */
export function CataloguePage({
  tab,
  children,
}: {
  readonly tab: "projects" | "grants";
  readonly children: ReactNode;
}) {
  return (
    <>
      <div className={`wrap page-head ${styles.head}`}>
        <h1 className="d1">{t(`${tab}.title`)}</h1>
        <MoneyPages here={tab} />
      </div>
      <div className="wrap">
        <LinkTabs
          caption={t("type")}
          label={t("tabs")}
          tabs={[
            { to: paths.projects, label: t("tab.projects"), current: tab === "projects" },
            { to: paths.grants, label: t("tab.grants"), current: tab === "grants" },
          ]}
        />
        <div className={styles.body}>{children}</div>
      </div>
    </>
  );
}
