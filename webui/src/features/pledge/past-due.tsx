import type { User } from "@/api/schema";
import { Alert } from "@/components/alert/alert";
import { Button } from "@/components/button/button";
import { Card } from "@/components/card/card";
import { lazyPart } from "@/components/lazy-part/lazy-part";
import membershipTexts from "@/messages/en/membership.json";
import { useMemberArea } from "@/lib/member/member-context";
import { useBilling } from "@/lib/member/use-billing";
import { useServerDay } from "@/lib/models/use-server-day";
import { formatDate } from "@/lib/text/format";
import { LANGUAGE, translator } from "@/lib/text/messages";
import { usePayNowText } from "./use-pay-now-text";
import { useVoteText } from "./use-vote-text";
import styles from "./pledge.module.css";

const t = translator(membershipTexts);

// A chunk of its own: few charges fail.
const PayNow = lazyPart(
  async () => (await import("./pay-now")).PayNow,
  <PayNowSoon />,
);

function PayNowSoon() {
  return (
    <Button disabled size="sm">
      {usePayNowText()}
    </Button>
  );
}

/** A charge that failed: it is paid now, or tried again on the days of the email. */
export function PastDue() {
  const { busy, open } = useBilling();
  const { member } = useMemberArea();
  return (
    <Card className={styles.state} label={t("pledge.past_due")}>
      <Alert kind="warning" title={t("pledge.past_due")}>
        <p>{useRetryText(member)}</p>
        <p>{useVoteText(member, t("pledge.vote-again"))}</p>
      </Alert>
      <div className="row">
        <PayNow />
        <Button
          busy={busy ? t("billing.opening") : false}
          icon="card"
          kind="line"
          onClick={open}
          size="sm"
        >
          {t("pledge.update-card")}
        </Button>
      </div>
    </Card>
  );
}

/** On which days the failed charge is tried again, as the email says. */
function useRetryText({ retriesOn }: User): string {
  const now = new Date(useServerDay());
  if (retriesOn.length === 0) return t("pledge.past_due-unknown");
  const days = retriesOn.map((day) => t("pledge.on-day", { date: formatDate(day, now) }));
  return t("pledge.past_due-text", { days: new Intl.ListFormat(LANGUAGE).format(days) });
}
