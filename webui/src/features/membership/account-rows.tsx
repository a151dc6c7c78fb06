import { Button } from "@/components/button/button";
import { Icon } from "@/components/icon/icon";
import { Toggle } from "@/components/toggle/toggle";
import membershipTexts from "@/messages/en/membership.json";
import { translator } from "@/lib/messages";
import { updateProfile } from "./api";
import { useMemberArea } from "./member-context";
import { useBilling } from "./use-billing";
import { useMemberAction } from "./use-member-action";
import styles from "./account.module.css";

const t = translator(membershipTexts);

/** ON or OFF, kept by the server. */
export function SubscribeRow() {
  const { member } = useMemberArea();
  const { busy, run } = useMemberAction();
  // While it is being kept, the switch stands where it was pushed.
  const on = busy ? !member.notifications : member.notifications;
  return (
    <div className={`${styles.row} ${styles.first} ${styles.wrapped}`}>
      <b>{t("subscribe")}</b>
      <p className="muted">{t("subscribe.text")}</p>
      <Toggle
        label={t("subscribe")}
        on={on}
        onChange={(notifications) => void run(() => updateProfile({ notifications }))}
        words={{ on: t("on"), off: t("off") }}
      />
    </div>
  );
}

export function BillingRow() {
  const { busy, open } = useBilling();
  return (
    <div className={`${styles.row} ${styles.wrapped}`}>
      <b>{t("billing")}</b>
      <p className="muted">{t("billing.text")}</p>
      <Button busy={busy ? t("billing.opening") : false} kind="line" onClick={open} size="sm">
        {t("billing.open")}
        <Icon name="external" />
      </Button>
    </div>
  );
}
