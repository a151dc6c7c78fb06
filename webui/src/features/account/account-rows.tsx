import { Button } from "@/components/button/button";
import { EmailChoice } from "@/components/email-choice/email-choice";
import { Icon } from "@/components/icon/icon";
import { SettingsRow } from "@/components/settings/settings";
import { Toggle } from "@/components/toggle/toggle";
import emailsTexts from "@/messages/en/emails.json";
import membershipTexts from "@/messages/en/membership.json";
import { apiSend } from "@/lib/api/api-client";
import { translator } from "@/lib/text/messages";
import { useMemberArea } from "@/lib/member/member-context";
import { useBilling } from "@/lib/member/use-billing";
import { useMemberAction } from "@/lib/member/use-member-action";

const t = translator(membershipTexts);
const emails = translator(emailsTexts);

/** The newsletter switch. */
export function SubscribeRow() {
  const { member } = useMemberArea();
  const { busy, run } = useMemberAction();
  // Optimistic: shows the new state while the request runs.
  const on = busy ? !member.notifications : member.notifications;
  return (
    <SettingsRow first text={t("subscribe.text")} title={t("subscribe")}>
      <Toggle
        label={t("subscribe")}
        on={on}
        onChange={(notifications) =>
          void run(() => apiSend("PUT /user/update-profile", { notifications }))
        }
        words={{ on: t("on"), off: t("off") }}
      />
    </SettingsRow>
  );
}

/** The finer choice: how much comes, and how often. */
export function EmailsRow() {
  const { member } = useMemberArea();
  const { busy, run } = useMemberAction();
  return (
    <SettingsRow
      text={emails(member.emailConfirmed ? "row.text" : "row.unconfirmed")}
      title={emails("row")}
      wide
    >
      <EmailChoice
        busy={busy}
        chosen={member.emailChoice}
        isMember
        onSave={(emailChoice) =>
          void run(() => apiSend("PUT /user/update-profile", { emailChoice }))
        }
      />
    </SettingsRow>
  );
}

export function BillingRow() {
  const { busy, open } = useBilling();
  return (
    <SettingsRow text={t("billing.text")} title={t("billing")}>
      <Button busy={busy ? t("billing.opening") : false} kind="line" onClick={open} size="sm">
        {t("billing.open")}
        <Icon name="external" />
      </Button>
    </SettingsRow>
  );
}
