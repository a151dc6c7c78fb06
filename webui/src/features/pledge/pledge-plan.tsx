import { useRef, useState, type ReactNode } from "react";
import type { PledgeChange, User } from "@/api/schema";
import { Button } from "@/components/button/button";
import { RadioCards } from "@/components/radio-cards/radio-cards";
import { SettingsCard, SettingsRow } from "@/components/settings/settings";
import accountTexts from "@/messages/en/account.json";
import membershipTexts from "@/messages/en/membership.json";
import { apiSend } from "@/lib/api/api-client";
import type { BillingDay } from "@/lib/payments/billing-day";
import { formatCents, formatDate } from "@/lib/text/format";
import { comingCharges, paysWithoutCard, voteEnds } from "@/lib/member/member";
import { translator } from "@/lib/text/messages";
import { useFocusFallback } from "@/lib/ui/use-focus-fallback";
import { useServerDay } from "@/lib/models/use-server-day";
import { billingDayCards } from "./billing-day-cards";
import { useMemberArea } from "@/lib/member/member-context";
import { StopPledge } from "./stop-pledge";
import { useMemberAction } from "@/lib/member/use-member-action";
import styles from "./pledge.module.css";

const t = translator(membershipTexts);
const account = translator(accountTexts);

/** Billing day, skipping, pausing and stopping the pledge. */
export function PledgePlan() {
  const { member } = useMemberArea();
  const status = member.pledgeStatus;
  const runs = status === "active" || status === "past_due" || status === "paused";
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusFallback(status, heading);
  return (
    <SettingsCard headingRef={heading} title={account("plan")}>
      {paysWithoutCard(member) ? <p className="muted">{account("plan.other-way")}</p> : null}
      {paysWithoutCard(member) ? null : runs ? (
        <>
          <NextCharges />
          {status === "past_due" ? null : <DayChoice />}
          {status === "active" ? <SkipRow member={member} /> : null}
          {status === "past_due" ? null : <PauseRow paused={status === "paused"} />}
        </>
      ) : (
        <p className="muted">{account("plan.none")}</p>
      )}
      {runs || status === "incomplete" ? <StopPledge /> : null}
    </SettingsCard>
  );
}

/** What will be charged when, by the server's rule. */
function NextCharges() {
  const { member } = useMemberArea();
  const now = new Date(useServerDay());
  const charges = comingCharges(member);
  if (charges.length === 0) return null;
  return (
    <div className={styles.next}>
      <h3 id="next-charges">{account("plan.next")}</h3>
      <ul aria-labelledby="next-charges">
        {charges.map(({ date, amountCents }) => (
          <li className="kv" key={date}>
            <span>{formatDate(date, now)}</span> <b className="num">{formatCents(amountCents)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

function DayChoice() {
  const { member } = useMemberArea();
  const [chosen, setChosen] = useState<BillingDay | null>(null);
  const today = useServerDay();
  const { busy, run } = useMemberAction();
  const current = member.billingDay ?? "current";
  const day = chosen ?? current;
  return (
    <form
      className={styles.days}
      onSubmit={(event) => {
        event.preventDefault();
        if (day !== current) void run(() => apiSend("PUT /user/pledge", { billingDay: day }));
      }}
    >
      <RadioCards
        cards={billingDayCards(today, current, member.nextCharges)}
        legend={account("plan.day")}
        onChange={setChosen}
        value={day}
      />
      <p className="muted xs">{account("plan.day-help")}</p>
      <Button
        busy={busy ? t("updating") : false}
        disabled={day === current}
        kind="line"
        size="sm"
        type="submit"
      >
        {account("plan.change-day")}
      </Button>
    </form>
  );
}

function SkipRow({ member }: { readonly member: User }) {
  const today = useServerDay();
  const now = new Date(today);
  const skipped = member.skipsOn !== null && member.skipsOn >= today;
  const date = skipped ? member.skipsOn : member.nextChargeOn;
  if (date === null) return null;
  const ends = voteEnds({ ...member, nextCharges: member.nextCharges.slice(1) }, today);
  const kept = member.mayVote ? account("plan.keeps-vote") : "";
  const vote = ends === null ? kept : account("plan.vote-until", { date: formatDate(ends, now) });
  const skip = `${account("plan.skip-text", { date: formatDate(date, now) })} ${vote}`.trim();
  return (
    <PlanRow
      change={{ skipNext: !skipped }}
      go={skipped ? account("plan.skip-undo") : account("plan.skip-go")}
      title={account("plan.skip")}
    >
      {skipped ? account("plan.skipped-text", { date: formatDate(date, now) }) : skip}
    </PlanRow>
  );
}

function PauseRow({ paused }: { readonly paused: boolean }) {
  return (
    <PlanRow
      change={{ paused: !paused }}
      go={paused ? account("plan.resume") : account("plan.pause-go")}
      title={account("plan.pause")}
    >
      {paused ? account("plan.paused-text") : account("plan.pause-text")}
    </PlanRow>
  );
}

function PlanRow({
  title,
  go,
  change,
  children,
}: {
  readonly title: string;
  readonly go: string;
  readonly change: PledgeChange;
  readonly children: ReactNode;
}) {
  const { busy, run } = useMemberAction();
  return (
    <SettingsRow text={children} title={title}>
      <Button
        busy={busy ? t("updating") : false}
        kind="line"
        onClick={() => void run(() => apiSend("PUT /user/pledge", change))}
        size="sm"
      >
        {go}
      </Button>
    </SettingsRow>
  );
}
