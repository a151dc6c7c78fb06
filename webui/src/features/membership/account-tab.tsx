import membershipTexts from "@/messages/en/membership.json";
import { Card } from "@/components/card/card";
import { translator } from "@/lib/messages";
import { BillingRow, SubscribeRow } from "./account-rows";
import { CloseAccount } from "./close-account";
import { DataRows } from "./data-rows";
import { DetailRows } from "./detail-rows";
import { PledgePlan } from "./pledge-plan";
import styles from "./account.module.css";

const t = translator(membershipTexts);

/** The second tab: one column, the way out alone at its end. */
export function AccountTab() {
  return (
    <div className={styles.column}>
      <h1 className={styles.title}>{t("account")}</h1>
      <Card>
        <SubscribeRow />
        <BillingRow />
      </Card>
      <DetailRows />
      <PledgePlan />
      <DataRows />
      <CloseAccount />
    </div>
  );
}
