import type { User } from "@/api/schema";
import { ButtonLink } from "@/components/button/button";
import { Card } from "@/components/card/card";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import sandboxTexts from "@/messages/en/sandbox-billing.json";
import { formatDate, formatDollars } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { comingCharges } from "@/lib/member/member";
import { useHydrated } from "@/lib/page/use-hydrated";
import { useProfile } from "@/lib/member/member-context";
import { useSignedIn } from "@/lib/session/session";
import { useToday } from "@/lib/ui/use-today";
import { CancelPledge } from "./cancel-pledge";
import { PaymentTable } from "./payment-table";
import { ReplaceCard } from "./replace-card";
import styles from "./sandbox-billing.module.css";

const t = translator(sandboxTexts);

/** Sandbox version of the payment provider's billing page. */
export function SandboxBilling() {
  const signedIn = useSignedIn();
  const hydrated = useHydrated();
  return (
    <div className={`wrap section ${styles.page}`}>
      <h1>{t("title")}</h1>
      <p className="lead">{t("lead")}</p>
      {signedIn ? (
        <MemberBilling />
      ) : (
        // As high as what a member sees there, so that the footer does not jump.
        <div className="waiting">
          {hydrated ? (
            <Card className={styles.card}>
              <p>{t("sign-in")}</p>
              <ButtonLink to={paths.login}>{t("sign-in-go")}</ButtonLink>
            </Card>
          ) : null}
        </div>
      )}
    </div>
  );
}

function MemberBilling() {
  const state = useProfile();
  return (
    <ResourceView skeleton={<Waiting />} state={state} what={t("failed")}>
      {({ user }) => (
        <>
          <PledgeCard member={user} onChanged={state.reload} />
          <PaymentTable />
          <p>
            <ButtonLink className={styles.back} icon="back" kind="quiet" to={paths.account}>
              {t("back")}
            </ButtonLink>
          </p>
        </>
      )}
    </ResourceView>
  );
}

// As high as the window, so that the footer does not jump.
function Waiting() {
  return (
    <div className="waiting">
      <Skeleton shape="block" />
    </div>
  );
}

function PledgeCard({
  member,
  onChanged,
}: {
  readonly member: User;
  readonly onChanged: () => void;
}) {
  const today = useToday();
  const status = member.pledgeStatus;
  const runs = status === "active" || status === "past_due" || status === "paused";
  const [next] = comingCharges(member);
  return (
    <Card className={styles.card} label={t("pledge")}>
      <h2>{t("pledge")}</h2>
      {status === null ? (
        <p>{t("pledge.none")}</p>
      ) : (
        <dl>
          <Fact
            name={t("pledge.amount")}
            value={t("pledge.month", { amount: formatDollars(member.subscriptionAmount) })}
          />
          <Fact name={t("pledge.status")} value={t(`status.${status}`)} />
          {status === "past_due" ? null : (
            <Fact
              name={t("pledge.next")}
              value={next === undefined ? t("pledge.no-next") : formatDate(next.date, today)}
            />
          )}
        </dl>
      )}
      {runs ? (
        <>
          <ReplaceCard member={member} onChanged={onChanged} />
          <CancelPledge onChanged={onChanged} />
        </>
      ) : (
        <p className="muted">{t("card.elsewhere")}</p>
      )}
    </Card>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="kv">
      <dt>{name}</dt>
      <dd>
        <b>{value}</b>
      </dd>
    </div>
  );
}
