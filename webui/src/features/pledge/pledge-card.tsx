import { useRef, useState } from "react";
import type { User } from "@/api/schema";
import { Button } from "@/components/button/button";
import { Skeleton } from "@/components/skeleton/skeleton";
import { lazyPart } from "@/components/lazy-part/lazy-part";
import { ClothPiece } from "@/components/tile/tile";
import membershipTexts from "@/messages/en/membership.json";
import { allocateCents } from "@/lib/payments/allocate";
import { useSiteConfig } from "@/lib/models/config";
import { amountOf, formatDate, formatDollars, formatDollarsOfCents } from "@/lib/text/format";
import { comingCharges, paysWithoutCard, voteEnds } from "@/lib/member/member";
import { ownTile } from "@/lib/member/own-tile";
import { translator } from "@/lib/text/messages";
import { useFocusFallback } from "@/lib/ui/use-focus-fallback";
import { useServerDay } from "@/lib/models/use-server-day";
import { useMemberArea } from "@/lib/member/member-context";
import styles from "./pledge-card.module.css";

const t = translator(membershipTexts);

// Loaded on demand: an amount is rarely changed.
const AmountEditor = lazyPart(
  async () => (await import("./amount-editor")).AmountEditor,
  <Skeleton shape="block" />,
);
// Enough for the tallest card; the rest is cut off.
const CLOTH_ROWS = 16;

/** The member's name and pledge, beside their own square of the cloth. */
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
      <div className={styles.cloth}>
        <ClothPiece columns={2} large={ownTile(member)} rows={CLOTH_ROWS} />
      </div>
    </section>
  );
}

function votingFact(member: User, today: string): string | null {
  const { mayVote, mayVoteFrom: from, voteHeldSince: held } = member;
  if (held) return t("contribution.vote-held", { date: formatDate(held, new Date(today)) });
  const ends = voteEnds(member, today);
  if (ends !== null) return t("contribution.vote-until", { date: formatDate(ends, new Date(today)) });
  if (mayVote) return t("contribution.vote");
  if (from === null) return null;
  if (from <= today) return t("contribution.vote-today");
  return t("contribution.vote-from", { date: formatDate(from, new Date(today)) });
}

function PledgeFacts({ member }: { readonly member: User }) {
  const config = useSiteConfig().data;
  const today = useServerDay();
  const date = (iso: string) => formatDate(iso, new Date(today));
  const facts: string[] = [];
  if (config !== null) {
    const { projects } = allocateCents(member.subscriptionAmount * 100, config.fundPolicy.weights);
    facts.push(t("contribution.projects", { part: amountOf(projects, formatDollarsOfCents) }));
  }
  const [next] = comingCharges(member);
  if (next !== undefined) {
    const amount = formatDollarsOfCents(next.amountCents);
    facts.push(t("contribution.next", { amount, date: date(next.date) }));
  } else if (member.nextChargeOn !== null && paysWithoutCard(member)) {
    facts.push(t("contribution.paid", { date: date(member.nextChargeOn) }));
  }
  const vote = votingFact(member, today);
  if (vote !== null) facts.push(vote);
  return <p className={`muted ${styles.facts}`}>{facts.join(" ")}</p>;
}
