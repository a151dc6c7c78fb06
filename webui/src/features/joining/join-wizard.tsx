import { useEffect, useRef, useState, type ReactNode } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { lazyPart } from "@/components/lazy-part/lazy-part";
import { Skeleton } from "@/components/skeleton/skeleton";
import { SplitPage } from "@/components/split-page/split-page";
import { Stepper } from "@/components/stepper/stepper";
import { ClothPiece } from "@/components/tile/tile";
import joiningTexts from "@/messages/en/joining.json";
import { takesCards, useKnownConfig, type SiteConfig } from "@/lib/models/config";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { readPledge } from "@/lib/payments/pledge-amount";
import { readToken } from "@/lib/session/token-storage";
import { usePreload } from "@/lib/ui/use-preload";
import { useServerDay } from "@/lib/models/use-server-day";
import { AmountPanel, IntroductionPanel, JoinCloth, TermsPanel } from "./join-panels";
import { IntroduceStep } from "./introduce-step";
import type { PayingWay } from "@/lib/models/other-ways";
import { missingField, useJoinDraft } from "./join-draft";
import type { Joined } from "./woven-in";
import styles from "./joining.module.css";

const t = translator(joiningTexts);

// Each step is preloaded while the one before is filled in.
const loadAmount = () => import("./amount-step");
const loadPayment = () => import("./way-step");
const AmountStep = lazyPart(
  async () => (await loadAmount()).AmountStep,
  <Skeleton shape="block" />,
);
const WayStep = lazyPart(
  async () => (await loadPayment()).WayStep,
  <Skeleton shape="block" />,
);

type Step = 1 | 2 | 3;

/** Joining in three steps. The step is in the address, so Back works. */
export function JoinWizard({
  loadNext,
  woven,
}: {
  /** Loads the page that opens after paying. */
  readonly loadNext: () => Promise<unknown>;
  /** What stands in place of the steps after paying. */
  readonly woven: (joined: Joined) => ReactNode;
}) {
  const form = useJoinDraft();
  const config = useKnownConfig();
  const [checkedFor, setCheckedFor] = useState<string | null>(null);
  const [held, setHeld] = useState(false);
  const [joined, setJoined] = useState<Joined | null>(null);
  const identity = JSON.stringify([form.draft.email.trim(), form.password]);
  const { dollars } = readPledge(form.draft.contribution);
  const introduced = missingField(form.draft, form.password) === null && checkedFor === identity;
  const [asked, goTo] = useStep(introduced ? (dollars === null ? 2 : 3) : 1);
  // A running or completed payment stays visible, even after Back.
  const step = held ? 3 : asked;
  useEffect(() => {
    if (step !== asked) goTo(step);
  }, [step, asked, goTo]);
  usePreload(step === 3 ? loadNext : null);
  const heading = useFocusOnChange(step);
  useMembersElsewhere();
  useEffect(() => {
    const next = { 1: loadAmount, 2: loadPayment, 3: null }[step];
    next?.().catch(() => null);
  }, [step]);
  const today = useServerDay();
  const ways = config?.ways ?? [];
  const cards = takesCards(config);
  const way: PayingWay =
    ways.find((offered) => offered === form.draft.way) ?? (cards ? "card" : (ways[0] ?? "card"));
  const pledge = { dollars, billingDay: form.draft.billingDay, today, way, cards };
  const isClosed = !held && config !== null && !cards && ways.length === 0;
  const open = isClosed ? null : step;
  const back = step === 1 || held ? undefined : () => goTo(step === 3 ? 2 : 1);
  if (joined !== null) return woven(joined);

  return (
    <SplitPage
      art={
        open === 1 ? (
          <JoinCloth person={form.draft} />
        ) : (
          <ClothPiece columns={10} rows={2} />
        )
      }
      onBack={back}
      tone="hero"
      words={isClosed ? null : <Panel config={config} pledge={pledge} step={step} />}
    >
      {isClosed ? null : (
        <Stepper
          current={step - 1}
          label={t("progress")}
          steps={[t("step.1"), t("step.2"), t("step.3")]}
        />
      )}
      <h1 className={styles.heading} ref={heading} tabIndex={-1}>
        {t(isClosed ? "closed" : `step.${step}`)}
      </h1>
      {isClosed ? <p>{t("closed-text")}</p> : null}
      {open === 1 ? (
        <IntroduceStep
          form={form}
          onChecked={() => {
            setCheckedFor(identity);
            goTo(2);
          }}
        />
      ) : null}
      {open === 2 ? (
        <AmountStep
          cards={cards}
          form={form}
          onNext={() => goTo(3)}
          today={today}
        />
      ) : null}
      {open === 3 && dollars !== null ? (
        <WayStep
          cards={cards}
          dollars={dollars}
          form={form}
          onHeld={setHeld}
          onJoined={setJoined}
          today={today}
          way={way}
          ways={ways}
        />
      ) : null}
    </SplitPage>
  );
}

type PanelPledge = Parameters<typeof TermsPanel>[0]["pledge"];

function Panel({
  step,
  config,
  pledge,
}: {
  readonly step: Step;
  readonly config: SiteConfig | null;
  readonly pledge: PanelPledge;
}) {
  if (step === 1) return <IntroductionPanel />;
  const policy = config?.fundPolicy ?? null;
  if (step === 2) return <AmountPanel cards={pledge.cards} dollars={pledge.dollars} policy={policy} />;
  return <TermsPanel pledge={pledge} policy={policy?.weights ?? null} />;
}

/** The step of the address, limited to those reached. */
function useStep(reached: Step): readonly [Step, (step: Step) => void] {
  const [params, setParams] = useSearchParams();
  const wanted = Number(params.get("step") ?? 1);
  const step = wanted === 2 || wanted === 3 ? (Math.min(wanted, reached) as Step) : 1;
  return [step, (next) => setParams(next === 1 ? {} : { step: String(next) })];
}

function useFocusOnChange(step: Step) {
  const heading = useRef<HTMLHeadingElement>(null);
  const last = useRef(step);
  useEffect(() => {
    if (last.current === step) return;
    last.current = step;
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [step]);
  return heading;
}

/** Sends signed-in members to the dashboard, where they can start a pledge again. */
function useMembersElsewhere(): void {
  const navigate = useNavigate();
  // The token from joining itself does not count.
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    if (readToken() !== null) void navigate(paths.dashboard, { replace: true });
  }, [navigate]);
}
