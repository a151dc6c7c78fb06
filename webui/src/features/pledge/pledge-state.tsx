import { useRef, useState, type ReactNode } from "react";
import type { PledgeChange } from "@/api/schema";
import { lazyPart } from "@/components/lazy-part/lazy-part";
import { Alert } from "@/components/alert/alert";
import { Button } from "@/components/button/button";
import { Card } from "@/components/card/card";
import { Skeleton } from "@/components/skeleton/skeleton";
import membershipTexts from "@/messages/en/membership.json";
import { apiSend } from "@/lib/api/api-client";
import { takesCards, useSiteConfig } from "@/lib/models/config";
import { paysWithoutCard } from "@/lib/member/member";
import { formatDate } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { useFocusFallback } from "@/lib/ui/use-focus-fallback";
import { useServerDay } from "@/lib/models/use-server-day";
import { useMemberArea } from "@/lib/member/member-context";
import { useMemberAction } from "@/lib/member/use-member-action";
import { PastDue } from "./past-due";
import { useVoteText } from "./use-vote-text";
import styles from "./pledge.module.css";

const t = translator(membershipTexts);

// Loaded on demand: few members need the card form.
const StartPledge = lazyPart(
  async () => (await import("./start-pledge")).StartPledge,
  <Skeleton shape="block" />,
);

const PromiseForm = lazyPart(
  async () => (await import("./promise-form")).PromiseForm,
  <Skeleton shape="block" />,
);

const PaymentDetails = lazyPart(
  async () => (await import("@/components/payment-details/payment-details")).PaymentDetails,
  <Skeleton shape="block" />,
);

/** The problem with the pledge and its remedy; nothing while the pledge is active. */
export function PledgeState() {
  const { member } = useMemberArea();
  if (paysWithoutCard(member)) return <ByOtherWay />;
  switch (member.pledgeStatus) {
    case "incomplete":
      return <Incomplete />;
    case "past_due":
      return <PastDue />;
    case "paused":
      return (
        <ChangeNotice
          change={{ paused: false }}
          go={t("pledge.resume")}
          text={t("pledge.paused-text")}
          title={t("pledge.paused")}
        />
      );
    case "active":
      return <Skipped />;
    default:
      return <Canceled />;
  }
}

/** How a promise is paid; its way and amount may change, and a card may take over. */
function ByOtherWay() {
  const config = useSiteConfig().data;
  const [open, setOpen] = useState<"card" | "other" | null>(null);
  const change = useRef<HTMLButtonElement>(null);
  useFocusFallback(open, change);
  const close = () => setOpen(null);
  return (
    <Card className={styles.state} label={t("pledge.other-way")}>
      <PaymentDetails />
      {open === "card" ? <StartPledge onCancel={close} /> : null}
      {open === "other" ? <PromiseForm onClose={close} /> : null}
      {open === null && config !== null ? (
        <div className="row">
          {config.ways.length === 0 ? null : (
            <Button kind="line" onClick={() => setOpen("other")} ref={change} size="sm">
              {t("pledge.change-way")}
            </Button>
          )}
          {takesCards(config) ? (
            <Button icon="card" kind="line" onClick={() => setOpen("card")} size="sm">
              {t("pledge.by-card")}
            </Button>
          ) : null}
        </div>
      ) : null}
    </Card>
  );
}

function Incomplete() {
  const { reload } = useMemberArea();
  return (
    <Startable
      go={t("start.card")}
      text={t("pledge.incomplete-text")}
      title={t("pledge.incomplete")}
    >
      <Button icon="retry" kind="line" onClick={reload} size="sm">
        {t("pledge.look-again")}
      </Button>
    </Startable>
  );
}

function Canceled() {
  return (
    <Startable go={t("start")} text={t("pledge.canceled-text")} title={t("pledge.canceled")} />
  );
}

function Startable({
  title,
  text,
  go,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly go: string;
  readonly children?: ReactNode;
}) {
  const config = useSiteConfig().data;
  const [open, setOpen] = useState<"start" | "other" | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  useFocusFallback(open !== null, button);
  const cards = takesCards(config);
  const other = config !== null && config.ways.length > 0;
  const isPayable = cards || other;
  const close = () => setOpen(null);
  return (
    <Card className={styles.state} label={title}>
      <Alert kind="warning" title={title}>
        {isPayable ? <p>{text}</p> : <PromiseForm onClose={close} />}
      </Alert>
      {open === "start" && cards ? <StartPledge onCancel={close} /> : null}
      {open === "other" || (open === "start" && !cards) ? <PromiseForm onClose={close} /> : null}
      {open === null ? (
        <div className="row">
          {isPayable ? (
            <Button
              {...(cards ? { icon: "card" } : {})}
              onClick={() => setOpen("start")}
              ref={button}
              size="sm"
            >
              {go}
            </Button>
          ) : null}
          {cards && other ? (
            <Button kind="line" onClick={() => setOpen("other")} size="sm">
              {t("start.other")}
            </Button>
          ) : null}
          {children}
        </div>
      ) : null}
    </Card>
  );
}

function Skipped() {
  const { member } = useMemberArea();
  const today = useServerDay();
  const vote = useVoteText(member, member.mayVote ? t("pledge.keeps-vote") : "");
  if (member.skipsOn === null || member.skipsOn < today) return null;
  const now = new Date(today);
  const next = member.nextChargeOn;
  return (
    <ChangeNotice
      change={{ skipNext: false }}
      go={t("pledge.keep")}
      text={
        next === null
          ? vote
          : `${t("pledge.skips-text", { next: formatDate(next, now) })} ${vote}`.trim()
      }
      title={t("pledge.skips", { skipped: formatDate(member.skipsOn, now) })}
    />
  );
}

function ChangeNotice({
  title,
  text,
  go,
  change,
}: {
  readonly title: string;
  readonly text: string;
  readonly go: string;
  readonly change: PledgeChange;
}) {
  const { busy, run } = useMemberAction();
  return (
    <Card className={styles.state} label={title}>
      <Alert kind="info" title={title}>
        <p>{text}</p>
      </Alert>
      <div className="row">
        <Button
          busy={busy ? t("updating") : false}
          onClick={() => void run(() => apiSend("PUT /user/pledge", change))}
          size="sm"
        >
          {go}
        </Button>
      </div>
    </Card>
  );
}
