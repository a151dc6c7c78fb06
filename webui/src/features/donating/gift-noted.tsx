import { useEffect, useRef } from "react";
import type { GiftOnTheWay } from "@/api/schema";
import { PaymentRows } from "@/components/payment-details/payment-details";
import promiseTexts from "@/messages/en/promise.json";
import { formatFullCents } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import styles from "./gift-form.module.css";

const t = translator(promiseTexts);

/** A gift on the way: how to pay it. */
export function GiftNoted({
  email,
  noted,
}: {
  readonly email: string;
  readonly noted: GiftOnTheWay;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={styles.form}>
      <h2 ref={heading} tabIndex={-1}>
        {t("gift.noted")}
      </h2>
      <p>{t("gift.text", { email })}</p>
      <PaymentRows amount={formatFullCents(noted.amountCents)} payment={noted} />
    </section>
  );
}
