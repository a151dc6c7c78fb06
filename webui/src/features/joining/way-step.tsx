import { useCallback, useState } from "react";
import { lazyPart } from "@/components/lazy-part/lazy-part";
import { RadioCards } from "@/components/radio-cards/radio-cards";
import { Skeleton } from "@/components/skeleton/skeleton";
import promiseTexts from "@/messages/en/promise.json";
import type { OtherWay, PayingWay } from "@/lib/models/other-ways";
import { translator } from "@/lib/text/messages";
import { PaymentStep } from "./payment-step";
import type { JoinDraft } from "./join-draft";
import styles from "./joining.module.css";

// In one chunk with the payment, so that it is there when the payment is done.
export { WovenIn } from "./woven-in";

const t = translator(promiseTexts);

const PromiseStep = lazyPart(
  async () => (await import("./promise-step")).PromiseStep,
  <Skeleton shape="block" />,
);

/** Step 3: the card, or the ways to pay that the operators set up; a choice of several. */
export function WayStep({
  cards,
  way,
  ways,
  onHeld,
  ...step
}: Parameters<typeof PaymentStep>[0] & {
  readonly cards: boolean;
  readonly way: PayingWay;
  /** Those beside the card. */
  readonly ways: readonly OtherWay[];
}) {
  const [held, setHeld] = useState(false);
  const hold = useCallback(
    (isHeld: boolean) => {
      setHeld(isHeld);
      onHeld(isHeld);
    },
    [onHeld],
  );
  const choices = [...(cards ? (["card"] as const) : []), ...ways];
  return (
    <>
      {held || choices.length === 1 ? null : (
        <div className={styles.form}>
          <RadioCards
            cards={choices.map((value) => ({
              value,
              label: t(`way.${value}`),
              note: t(`note.${value}`),
            }))}
            legend={t("choose")}
            onChange={(chosen) => step.form.change({ way: chosen, ...withoutFee(step.form.draft) })}
            value={way}
          />
        </div>
      )}
      {way === "card" ? (
        <PaymentStep {...step} onHeld={hold} />
      ) : (
        <PromiseStep dollars={step.dollars} form={step.form} onHeld={hold} way={way} />
      )}
    </>
  );
}

/** Only a card has a fee to cover. */
function withoutFee({ coversFeeOf, contribution }: JoinDraft): Partial<JoinDraft> {
  return { contribution: coversFeeOf === "" ? contribution : coversFeeOf, coversFeeOf: "" };
}
