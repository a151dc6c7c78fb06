import { useRef, useState, type FormEvent } from "react";
import { Link, useNavigate } from "react-router-dom";
import { Button } from "@/components/button/button";
import { CardForm } from "@/components/card-form/card-form";
import { PaymentTroubleBox } from "@/components/card-form/payment-trouble";
import { Field } from "@/components/field/field";
import donatingTexts from "@/messages/en/donating.json";
import type { CardDesk } from "@/lib/card-desk";
import { useSiteConfig } from "@/lib/config";
import { formatDollarsOfCents } from "@/lib/format";
import { rich, translator } from "@/lib/messages";
import { paths } from "@/lib/paths";
import { useCardPayment } from "@/lib/use-card-payment";
import { useLastKnown } from "@/lib/use-last-known";
import { give } from "./api";
import { plainDollars, readCents } from "./gift-amount";
import styles from "./gift-form.module.css";

const t = translator(donatingTexts);

// What the form asks for before the server has said its limits.
const LIMITS = { giftCentsMin: 100, giftCentsMax: 99_999_900 };

/** A gift by card, without an account. */
export function GiftForm() {
  const [typed, setTyped] = useState({ amount: "25", email: "", name: "" });
  const [asked, setAsked] = useState(false);
  const limits = useLastKnown(useSiteConfig().data) ?? LIMITS;
  const desk = useRef<CardDesk>(null);
  const cents = readCents(typed.amount);
  const fits = cents !== null && cents >= limits.giftCentsMin && cents <= limits.giftCentsMax;
  const { stage, trouble, locked, pay } = useGift(
    cents ?? 0,
    typed.email.trim(),
    typed.name.trim(),
  );
  const held = locked || stage !== "open";
  const missingEmail = typed.email.trim() === "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (!fits || missingEmail || desk.current === null) return;
    void pay(desk.current, { name: typed.name.trim(), email: typed.email.trim() });
  };
  const change = (part: Partial<typeof typed>) => setTyped({ ...typed, ...part });
  const shown = {
    minimum: formatDollarsOfCents(limits.giftCentsMin),
    maximum: formatDollarsOfCents(limits.giftCentsMax),
  };
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <h2>{t("details")}</h2>
      <fieldset className={styles.fields} disabled={held}>
        <Field
          error={asked && !fits ? t("amount.fault", shown) : null}
          help={t("amount.help", shown)}
          inputMode="decimal"
          label={t("amount")}
          name="amount"
          onChange={(event) => change({ amount: event.target.value })}
          value={typed.amount}
        />
        <Field
          autoComplete="email"
          error={asked && missingEmail ? t("email.missing") : null}
          help={t("email.help")}
          label={t("email")}
          name="email"
          onChange={(event) => change({ email: event.target.value })}
          type="email"
          value={typed.email}
        />
        <Field
          autoComplete="name"
          label={t("name")}
          name="name"
          onChange={(event) => change({ name: event.target.value })}
          value={typed.name}
        />
      </fieldset>
      <CardForm
        amountCents={fits ? cents : limits.giftCentsMin}
        locked={held}
        mode="payment"
        ref={desk}
      />
      <PaymentTroubleBox trouble={trouble} />
      <Button
        block
        busy={stage === "open" ? false : t("processing")}
        icon="card"
        size="lg"
        type="submit"
      >
        {fits ? t("donate-amount", { amount: formatDollarsOfCents(cents) }) : t("donate")}
      </Button>
      <p className={styles.other}>
        {rich(t("vote"), {
          join: (inner) => (
            <Link className="link" to={paths.join}>
              {inner}
            </Link>
          ),
        })}
      </p>
    </form>
  );
}

function useGift(amountCents: number, email: string, name: string) {
  const navigate = useNavigate();
  return useCardPayment({
    makeBody: (paymentMethodId) => ({ amountCents, email, name, paymentMethodId }),
    send: give,
    settle: async (answer, desk) => {
      if (answer.requiresAction && answer.clientSecret !== null) {
        const refused = await desk.confirm(answer.clientSecret);
        if (refused !== null) return refused;
      }
      void navigate(`${paths.paymentSuccess}?amount=${plainDollars(amountCents)}`);
      return null;
    },
  });
}
