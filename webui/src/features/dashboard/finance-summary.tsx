import { Link } from "react-router-dom";
import { Card } from "@/components/card/card";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import membershipTexts from "@/messages/en/membership.json";
import { formatWholeDollars } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { useResource } from "@/lib/api/resource";
import { useErrorNotice } from "@/lib/api/use-error-notice";
import styles from "./dashboard.module.css";

const t = translator(membershipTexts);

/** The organisation's finances in four figures. */
export function FinanceSummary() {
  const state = useResource("/stats");
  useErrorNotice(state.error);
  return (
    <Card className={styles.box} label={t("finances")}>
      <h2 className={styles.title}>{t("finances")}</h2>
      <ResourceView skeleton={<Skeleton shape="block" />} state={state} what={t("finances.failed")}>
        {(stats) => (
          <dl>
            <Figure cents={stats.monthlyDonationCents} name={t("finances.monthly")} />
            <Figure cents={stats.cashAtHandCents} name={t("finances.cash")} />
            <Figure cents={stats.monthlyFixedCostCents} name={t("finances.fixed")} />
            <Figure cents={stats.cashDeployedCents} name={t("finances.deployed")} />
          </dl>
        )}
      </ResourceView>
      <p className={styles.links}>
        <Link className="link" to={paths.ledger}>
          {t("finances.ledger")}
        </Link>
        <Link className="link" to={paths.myImpact}>
          {t("finances.mine")}
        </Link>
      </p>
    </Card>
  );
}

function Figure({ name, cents }: { readonly name: string; readonly cents: number }) {
  return (
    <div className="kv">
      <dt>{name}</dt>
      <dd className={`num ${styles.figure}`}>{formatWholeDollars(cents)}</dd>
    </div>
  );
}
