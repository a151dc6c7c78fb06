import { useId, useImperativeHandle, useRef, useState, type Ref } from "react";
import { Field } from "@/components/field/field";
import cardTexts from "@/messages/en/card-form.json";
import type { CardFormHandle } from "@/lib/payments/card-form-handle";
import { translator } from "@/lib/text/messages";
import {
  SANDBOX_CARDS,
  cardFault,
  findSandboxCard,
  groupDigits,
  groupExpiry,
  type CardFault,
} from "./sandbox-cards";
import { useSandboxConfirm } from "./sandbox-confirm-dialog";
import styles from "./card-form.module.css";

const t = translator(cardTexts);

/**
 * Card form of the sandbox. Only the name of the test card is sent, never the digits.
 */
export function SandboxCardForm({
  locked,
  ref,
}: {
  readonly locked: boolean;
  readonly ref: Ref<CardFormHandle>;
}) {
  const [typed, setTyped] = useState({ number: "", expiry: "", cvc: "" });
  const [fault, setFault] = useState<CardFault | null>(null);
  const { confirm, dialog } = useSandboxConfirm();
  const titleId = useId();
  const current = useRef(typed);
  const change = (part: Partial<typeof typed>) => {
    current.current = { ...current.current, ...part };
    setTyped(current.current);
    setFault(null);
  };
  useImperativeHandle(
    ref,
    () => ({
      makePaymentMethod: () => {
        const found = cardFault(current.current, new Date());
        const card = findSandboxCard(current.current.number);
        setFault(found);
        return Promise.resolve(
          found === null && card !== null
            ? { id: card.name, error: null }
            : { id: null, error: t(`error.${found ?? "unknown"}`) },
        );
      },
      confirm,
    }),
    [confirm],
  );
  const errorOf = (...faults: CardFault[]) =>
    fault !== null && faults.includes(fault) ? t(`error.${fault}`) : null;
  return (
    <fieldset aria-labelledby={titleId} className={styles.form} disabled={locked}>
      <legend className="vh" id={titleId}>
        {t("label")}
      </legend>
      <Field
        autoComplete="off"
        error={errorOf("number", "unknown")}
        inputMode="numeric"
        label={t("number")}
        name="number"
        onChange={(event) => change({ number: groupDigits(event.target.value) })}
        placeholder="4242 4242 4242 4242"
        value={typed.number}
      />
      <div className={styles.pair}>
        <Field
          autoComplete="off"
          error={errorOf("expiry", "past")}
          inputMode="numeric"
          label={t("expiry")}
          name="expiry"
          onChange={(event) => change({ expiry: groupExpiry(event.target.value) })}
          placeholder={t("expiry-hint")}
          value={typed.expiry}
        />
        <Field
          autoComplete="off"
          error={errorOf("cvc")}
          inputMode="numeric"
          label={t("cvc")}
          maxLength={4}
          name="cvc"
          onChange={(event) => change({ cvc: event.target.value })}
          placeholder="123"
          value={typed.cvc}
        />
      </div>
      <TestCards />
      {dialog}
    </fieldset>
  );
}

function TestCards() {
  return (
    <details className={styles.cards}>
      <summary>{t("cards")}</summary>
      <ul>
        {SANDBOX_CARDS.map((card) => (
          <li key={card.number}>
            <code>{groupDigits(card.number)}</code> {t(`card.${card.outcome}`)}
          </li>
        ))}
      </ul>
    </details>
  );
}
