import type { ReactNode } from "react";
import { Button, ButtonAnchor } from "@/components/button/button";
import membershipTexts from "@/messages/en/membership.json";
import { useSiteConfig } from "@/lib/models/config";
import { translator } from "@/lib/text/messages";
import { notify } from "@/lib/ui/notify";
import { EmailNotice } from "./email-notice";
import { FinanceSummary } from "./finance-summary";
import { RegionList } from "./region-list";
import { TodoList } from "./todo-list";
import styles from "./dashboard.module.css";

const t = translator(membershipTexts);

/** The dashboard tab: pledge, to-do list and finances. */
export function DashboardTab({
  pledgeState,
  pledgeCard,
  votes,
}: {
  readonly pledgeState: ReactNode;
  readonly pledgeCard: ReactNode;
  readonly votes: ReactNode;
}) {
  return (
    <>
      <EmailNotice />
      <ChatBanner />
      {pledgeState}
      <div className={styles.columns}>
        <div className={styles.column}>
          {pledgeCard}
          <TodoList />
        </div>
        <div className={styles.column}>
          <FinanceSummary />
          {votes}
          <RegionList />
        </div>
      </div>
    </>
  );
}

function ChatBanner() {
  const chatUrl = useSiteConfig().data?.chatUrl ?? null;
  const look = { className: styles.chatButton, icon: "chat", kind: "ink", size: "sm" } as const;
  return (
    <section className={styles.chat}>
      <h2>{t("chat.title")}</h2>
      {chatUrl === null ? (
        <Button {...look} onClick={() => notify.warning(t("chat.not-yet"))}>
          {t("chat.join")}
        </Button>
      ) : (
        <ButtonAnchor {...look} href={chatUrl} newTab>
          {t("chat.join")}
        </ButtonAnchor>
      )}
    </section>
  );
}
