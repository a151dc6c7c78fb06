import type { ReactNode } from "react";
import membershipTexts from "@/messages/en/membership.json";
import { lazyPart } from "@/components/lazy-part/lazy-part";
import { Card } from "@/components/card/card";
import { takesCards, useSiteConfig } from "@/lib/models/config";
import { paysWithoutCard } from "@/lib/member/member";
import { useMemberArea } from "@/lib/member/member-context";
import { translator } from "@/lib/text/messages";
import { BillingRow, EmailsRow, SubscribeRow } from "./account-rows";
import { CloseAccount } from "./close-account";
import { DataRows } from "./data-rows";
import { DetailRows } from "./detail-rows";
import { LanguageRow } from "./language-row";
import styles from "./account.module.css";

const t = translator(membershipTexts);
const SecurityRows = lazyPart(async () => (await import("./security-rows")).SecurityRows);

/** The second tab: the settings of the account, with the pledge plan among them. */
export function AccountTab({ children }: { readonly children: ReactNode }) {
  const { member } = useMemberArea();
  const cards = takesCards(useSiteConfig().data);
  return (
    <div className={styles.column}>
      <h1 className={styles.title}>{t("account")}</h1>
      <Card>
        <SubscribeRow />
        <EmailsRow />
        {paysWithoutCard(member) || !cards ? null : <BillingRow />}
        <LanguageRow />
      </Card>
      <DetailRows />
      {children}
      <SecurityRows />
      <DataRows />
      <CloseAccount />
    </div>
  );
}
