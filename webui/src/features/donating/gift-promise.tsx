import { useImperativeHandle, useRef, useState, type RefObject } from "react";
import type { GiftOnTheWay, PromisedGift } from "@/api/schema";
import { Button } from "@/components/button/button";
import { PaymentErrorBox } from "@/components/card-form/payment-error-box";
import { RadioCards } from "@/components/radio-cards/radio-cards";
import promiseTexts from "@/messages/en/promise.json";
import { apiSend } from "@/lib/api/api-client";
import type { OtherWay, PayingWay } from "@/lib/models/other-ways";
import { hasNoAnswer, newIdempotencyKey } from "@/lib/payments/payment-answer";
import type { PaymentFailure } from "@/lib/payments/use-card-payment";
import { translator } from "@/lib/text/messages";
import styles from "./gift-form.module.css";

const t = translator(promiseTexts);

/** What stands in place of the form where there is no way to pay. */
export function NoWay() {
  return <p className={styles.form}>{t("none-text")}</p>;
}

/** The choice between the ways to pay a gift, and the end of the form of one without a card. */
export function GiftWays({
  choices,
  way,
  onChoice,
  ...form
}: Omit<Parameters<typeof GiftPromise>[0], "way"> & {
  readonly choices: readonly PayingWay[];
  readonly way: PayingWay;
  readonly onChoice: (way: PayingWay) => void;
}) {
  const cards = choices.map((value) => ({
    value,
    label: t(`way.${value}`),
    note: t(`gift.note.${value}`),
  }));
  return (
    <>
      {choices.length === 1 ? null : (
        <RadioCards cards={cards} legend={t("choose")} onChange={onChoice} value={way} />
      )}
      {way === "card" ? null : <GiftPromise {...form} key={way} way={way} />}
    </>
  );
}

function GiftPromise({
  gift,
  send,
  way,
  onNoted,
}: {
  readonly gift: Omit<PromisedGift, "way">;
  /** Gets what sends the form, once its fields were checked. */
  readonly send: RefObject<(() => void) | null>;
  readonly way: OtherWay;
  readonly onNoted: (noted: GiftOnTheWay) => void;
}) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<PaymentFailure | null>(null);
  const unanswered = useRef<{ body: PromisedGift; key: string } | null>(null);
  const promise = async () => {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    const request = unanswered.current ?? { body: { ...gift, way }, key: newIdempotencyKey() };
    try {
      const options = { idempotencyKey: request.key };
      onNoted(await apiSend("POST /gifts/promise", request.body, options));
    } catch (error) {
      const lost = hasNoAnswer(error);
      unanswered.current = lost ? request : null;
      const message = error instanceof Error ? error.message : String(error);
      setFailure({ kind: "refused", message: lost ? t("no-answer") : message });
      setBusy(false);
    }
  };
  useImperativeHandle(send, () => () => void promise());
  return (
    <>
      <PaymentErrorBox failure={failure} />
      <Button block busy={busy ? t("gift.sending") : false} size="lg" type="submit">
        {t("gift.go")}
      </Button>
      <p className={styles.other}>{t("gift.agree")}</p>
    </>
  );
}
