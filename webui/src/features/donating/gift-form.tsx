import { useRef, useState, type FormEvent } from "react";
import { Link, useNavigate } from "react-router-dom";
import type { FundPolicy, Gift, GiftOnTheWay } from "@/api/schema";
import { CoverGiftFee } from "@/components/card-fee/cover-fee";
import { lazyPart } from "@/components/lazy-part/lazy-part";
import { Field } from "@/components/field/field";
import donatingTexts from "@/messages/en/donating.json";
import { apiSend } from "@/lib/api/api-client";
import type { CardFormHandle } from "@/lib/payments/card-form-handle";
import { FUNDS, projectsPayFees, takesCards, useKnownConfig } from "@/lib/models/config";
import type { PayingWay } from "@/lib/models/other-ways";
import { allocateCents } from "@/lib/payments/allocate";
import { coverFee } from "@/lib/payments/card-fee";
import { dropDraft, readDraft, writeDraft } from "@/lib/session/draft-storage";
import { formatDollars, formatDollarsOfCents } from "@/lib/text/format";
import { LANGUAGE, rich, translator } from "@/lib/text/messages";
import { withoutZeros } from "@/lib/text/number-reading";
import { paths } from "@/lib/page/paths";
import { classNames } from "@/lib/ui/class-names";
import { useCardPayment } from "@/lib/payments/use-card-payment";
import { useHydrated } from "@/lib/page/use-hydrated";
import { textIn, usePrehydrationInput } from "@/lib/page/use-prehydration-input";
import { fundPolicy, giftCentsMax, giftCentsMin } from "@/rules.json";
import { amountFaultText, plainDollars, readCents } from "@/lib/payments/gift-amount";
import { CardEnd } from "./card-end";
import styles from "./gift-form.module.css";

const t = translator(donatingTexts);

const GiftWays = lazyPart(async () => (await import("./gift-promise")).GiftWays);
const NoWay = lazyPart(async () => (await import("./gift-promise")).NoWay);
const GiftNoted = lazyPart(async () => (await import("./gift-noted")).GiftNoted);

// Not seen: they only keep the room until the server's figures are loaded.
const USUAL = {
  fundPolicy: { weights: fundPolicy, feeWeights: { ...fundPolicy, projects: 0 } },
  cardFee: { basisPoints: 290, fixedCents: 30 },
};

// Amounts that people often give.
const PICKS = [10, 25, 50];
const DRAFT = "jara-gift";
const UNANSWERED = "jara-gift-unanswered";

type Typed = {
  readonly amount: string;
  readonly email: string;
  readonly name: string;
  /** Whether the giver pays the card fee on top. */
  readonly coversFee: boolean;
};

const NOTHING: Typed = { amount: "25", email: "", name: "", coversFee: false };

/** A gift without an account, by card or in another way. The draft is stored for this tab until it is sent. */
export function GiftForm() {
  const hydrated = useHydrated();
  return <Form key={String(hydrated)} remembers={hydrated} />;
}

function Form({ remembers }: { readonly remembers: boolean }) {
  const [typed, setTyped] = useState(remembers ? readTyped : NOTHING);
  const [asked, setAsked] = useState(false);
  const [noted, setNoted] = useState<GiftOnTheWay | null>(null);
  const [picked, setPicked] = useState<PayingWay | null>(null);
  const promise = useRef<(() => void) | null>(null);
  const config = useKnownConfig();
  const choices: PayingWay[] = [...(takesCards(config) ? (["card"] as const) : []), ...(config?.ways ?? [])];
  const way = picked ?? choices[0] ?? null;
  const cards = way === "card";
  const figures = config ?? USUAL;
  const cardForm = useRef<CardFormHandle>(null);
  const chosen = readCents(typed.amount).cents;
  const covers = cards && typed.coversFee && chosen !== null && config !== null;
  const cents = covers ? coverFee(chosen, config.cardFee) : chosen;
  const fits = cents !== null && chosen !== null && chosen >= giftCentsMin && cents <= giftCentsMax;
  const gift = { amountCents: cents ?? 0, email: typed.email.trim(), name: typed.name.trim(), language: LANGUAGE };
  const payment = useGift(gift, remembers ? UNANSWERED : undefined);
  const { stage, locked, pay } = payment;
  const held = locked || stage !== "open";
  const missingEmail = typed.email.trim() === "";
  const form = usePrehydrationInput(storeTyped);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    // Read out with its fault, which may be out of view; it is marked after this.
    if (!fits || missingEmail) return void setTimeout(() => form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus());
    if (!cards) promise.current?.();
    else if (cardForm.current !== null) void pay(cardForm.current, { name: gift.name, email: gift.email });
  };
  const change = (part: Partial<Typed>) => {
    const changed = { ...typed, ...part };
    setTyped(changed);
    writeDraft(DRAFT, changed);
  };
  const shown = { minimum: formatDollarsOfCents(giftCentsMin), maximum: formatDollarsOfCents(giftCentsMax) };
  if (config !== null && way === null) return <NoWay />;
  if (noted !== null) return <GiftNoted email={gift.email} noted={noted} />;
  return (
    <form className={classNames(styles.form, config === null && styles.unknown)} noValidate onSubmit={submit} ref={form}>
      <h2>{t("details")}</h2>
      <fieldset className={styles.fields} disabled={held}>
        <Field
          error={asked && !fits ? (amountFaultText(typed.amount) ?? t("amount.fault", shown)) : null}
          help={t("amount.help", shown)}
          inputMode="decimal"
          label={t("amount")}
          name="amount"
          onBlur={() => change({ amount: withoutZeros(typed.amount) })}
          onChange={(event) => change({ amount: event.target.value })}
          value={typed.amount}
        />
        <fieldset className={styles.picks}>
          <legend className="vh">{t("picks")}</legend>
          {PICKS.map((dollars) => (
            <button
              aria-pressed={chosen === dollars * 100}
              className={styles.pick}
              key={dollars}
              onClick={() => change({ amount: String(dollars) })}
              type="button"
            >
              {formatDollars(dollars)}
            </button>
          ))}
        </fieldset>
        <div className={styles.figures}>
          <p aria-live="polite" className={styles.split}>
            {fits ? splitOf(cents, figures.fundPolicy, cards) : "\u00a0"}
          </p>
          {fits && cards ? (
            <CoverGiftFee
              checked={typed.coversFee}
              fee={figures.cardFee}
              giftCents={chosen}
              onChange={(coversFee) => change({ coversFee })}
            />
          ) : null}
        </div>
        <Field
          autoComplete="email"
          error={asked && missingEmail ? t("email.missing") : null}
          help={t(cards ? "email.help" : "email.help-promise")}
          label={t("email")}
          name="email"
          onChange={(event) => change({ email: event.target.value })}
          type="email"
          value={typed.email}
        />
        <Field
          autoComplete="name"
          dir="auto"
          label={t("name")}
          name="name"
          onChange={(event) => change({ name: event.target.value })}
          value={typed.name}
        />
      </fieldset>
      {way === null || (cards && (held || choices.length === 1)) ? null : (
        <GiftWays
          choices={choices}
          gift={gift}
          onChoice={setPicked}
          onNoted={(answer) => {
            dropDraft(DRAFT);
            setNoted(answer);
          }}
          send={promise}
          way={way}
        />
      )}
      {cards ? <CardEnd cents={fits ? cents : null} form={cardForm} held={held} payment={payment} /> : null}
      <p className={styles.other}>
        {rich(t("vote"), { join: (inner) => <Link className="link" to={paths.join}>{inner}</Link> })}
      </p>
    </form>
  );
}

/** What the gift does, by the rule of the books. */
function splitOf(cents: number, policy: Omit<FundPolicy, "from">, cards: boolean): string {
  const parts = allocateCents(cents, policy.weights);
  const shown = Object.fromEntries(FUNDS.map((fund) => [fund, formatDollarsOfCents(parts[fund])]));
  const split = t("split", shown);
  if (!cards) return split;
  const overhead = formatDollarsOfCents(cents - parts.projects);
  return `${split} ${t(projectsPayFees(policy) ? "fees-shared" : "fees", { ...shown, overhead })}`;
}

function readTyped(): Typed {
  const kept = readDraft(DRAFT);
  const text = (name: "amount" | "email" | "name") =>
    typeof kept[name] === "string" ? kept[name] : NOTHING[name];
  const coversFee = kept["coversFee"] === true;
  return { amount: text("amount"), email: text("email"), name: text("name"), coversFee };
}

/** Stores what differs from the form as the server sent it, for the form that replaces it. */
function storeTyped(form: HTMLFormElement): void {
  const names = ["amount", "email", "name"] as const;
  const typed = names.filter((name) => textIn(form, name) !== NOTHING[name]);
  if (typed.length === 0) return;
  const values = Object.fromEntries(typed.map((name) => [name, textIn(form, name)]));
  writeDraft(DRAFT, { ...readTyped(), ...values });
}

function useGift(gift: Omit<Gift, "paymentMethodId">, keptAs: string | undefined) {
  const navigate = useNavigate();
  return useCardPayment({
    makeBody: (paymentMethodId) => ({ ...gift, paymentMethodId }),
    send: (body, idempotencyKey) => apiSend("POST /gifts", body, { idempotencyKey }),
    keptAs,
    settle: async (answer, cardForm) => {
      if (answer.clientSecret !== undefined) {
        const refused = await cardForm.confirm(answer.clientSecret);
        if (refused !== null) return refused;
      }
      dropDraft(DRAFT);
      // Not in the storage, where the next person at this computer would find it.
      const giver = { email: gift.email, name: gift.name, entry: answer.entry };
      const amount = plainDollars(gift.amountCents);
      void navigate(`${paths.paymentSuccess}?amount=${amount}`, { state: { giver } });
      return null;
    },
  });
}
