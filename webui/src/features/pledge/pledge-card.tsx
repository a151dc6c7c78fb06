import { useRef, useState } from "react";
import { hash } from "@/art/tiles";
import { Button } from "@/components/button/button";
import { ClothPiece } from "@/components/tile/tile";
import membershipTexts from "@/messages/en/membership.json";
import { allocateCents } from "@/lib/payments/allocate";
import { useSiteConfig } from "@/lib/models/config";
import { formatCents, formatDate, formatDollars } from "@/lib/text/format";
import type { Member } from "@/lib/member/member";
import { translator } from "@/lib/text/messages";
import { useFocusFallback } from "@/lib/ui/use-focus-fallback";
import { useServerDay } from "@/lib/models/use-server-day";
import { AmountEditor } from "./amount-editor";
import { useMemberArea } from "@/lib/member/member-context";
import styles from "./pledge-card.module.css";

const t = translator(membershipTexts);

/** The member's name and pledge, beside a piece of cloth chosen by the name. */
export function PledgeCard() {
  const { member } = useMemberArea();
  const [editing, setEditing] = useState(false);
  const change = useRef<HTMLButtonElement>(null);
  useFocusFallback(`${member.pledgeStatus} ${editing}`, change);
  const hasPledge = member.pledgeStatus !== null && member.pledgeStatus !== "canceled";
  return (
    <section className={`field-indigo on-dark ${styles.card}`}>
      <div className={styles.words}>
        <p className="muted">{t("welcome")}</p>
        <h1 className={styles.name}>{member.firstname}</h1>
        <p className={`muted ${styles.label}`}>{t("contribution")}</p>
        {hasPledge && editing ? <AmountEditor onClose={() => setEditing(false)} /> : null}
        {hasPledge && !editing ? (
          <>
            <div className={styles.amount}>
              <p className={`num ${styles.figure}`}>
                {formatDollars(member.subscriptionAmount)}
                <span> {t("contribution.month")}</span>
              </p>
              <Button kind="accent" onClick={() => setEditing(true)} ref={change} size="sm">
                {t("contribution.change")}
              </Button>
            </div>
            <PledgeFacts member={member} />
          </>
        ) : null}
        {hasPledge ? null : <p className={styles.none}>{t("contribution.none")}</p>}
      </div>
      <ClothPiece
        className={styles.cloth}
        columns={2}
        from={hash(`${member.firstname} ${member.lastname}`) % 10}
        rows={4}
      />
    </section>
  );
}

// On the billing day itself the payment may still be pending.
function votingFact({ billingDay, pledgeStatus }: Member, from: string, today: string): string {
  const isPaid = billingDay === "current" && pledgeStatus === "active";
  if (from < today || (from === today && isPaid)) return t("contribution.vote");
  if (from === today) return t("contribution.vote-today");
  return t("contribution.vote-from", { date: formatDate(from, new Date(today)) });
}

function PledgeFacts({ member }: { readonly member: Member }) {
  const config = useSiteConfig().data;
  const today = useServerDay();
  const date = (iso: string) => formatDate(iso, new Date(today));
  const facts: string[] = [];
  if (config !== null) {
    const { projects } = allocateCents(member.subscriptionAmount * 100, config.fundPolicy);
    facts.push(t("contribution.projects", { part: formatCents(projects) }));
  }
  if (member.nextChargeOn !== null) {
    facts.push(t("contribution.next", { date: date(member.nextChargeOn) }));
  }
  if (member.mayVoteFrom !== null) {
    facts.push(votingFact(member, member.mayVoteFrom, today));
  }
  return <p className={`muted ${styles.facts}`}>{facts.join(" ")}</p>;
}
