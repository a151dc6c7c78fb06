import type { ReactNode } from "react";
import membershipTexts from "@/messages/en/membership.json";
import { translator } from "@/lib/text/messages";
import { ChatButton } from "./chat-button";
import { EmailNotice } from "./email-notice";
import { FinanceSummary } from "./finance-summary";
import { RegionList } from "./region-list";
import { TodoList } from "./todo-list";
import styles from "./dashboard.module.css";

const t = translator(membershipTexts);

/** The dashboard tab: what was given, pledge, to-do list and finances. */
export function DashboardTab({
  given,
  pledgeState,
  pledgeCard,
  votes,
}: {
  readonly given: ReactNode;
  readonly pledgeState: ReactNode;
  readonly pledgeCard: ReactNode;
  readonly votes: ReactNode;
}) {
  return (
    <>
      <EmailNotice />
      <div className={styles.given}>{given}</div>
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
  return (
    <section className={styles.chat}>
      <h2>{t("chat.title")}</h2>
      <ChatButton className={styles.chatButton} icon="chat" kind="ink" size="sm">
        {t("chat.join")}
      </ChatButton>
    </section>
  );
}
