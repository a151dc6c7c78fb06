import { useState } from "react";
import type { PaymentByOtherWay } from "@/api/schema";
import { Alert } from "@/components/alert/alert";
import { Button } from "@/components/button/button";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import promiseTexts from "@/messages/en/promise.json";
import { useResource } from "@/lib/api/resource";
import { useServerDay } from "@/lib/models/use-server-day";
import { formatDate, formatFullCents } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { notify } from "@/lib/ui/notify";
import styles from "./payment-details.module.css";

const t = translator(promiseTexts);

/** How a pledge without a card is paid: its state, what to write on a payment, and a code. */
export function PaymentDetails() {
  const state = useResource("/user/payment");
  return (
    <ResourceView skeleton={<Skeleton shape="block" />} state={state} what={t("failed")}>
      {(payment) => <Details payment={payment} />}
    </ResourceView>
  );
}

function Details({ payment }: { readonly payment: PaymentByOtherWay }) {
  const amount = formatFullCents(payment.subscriptionAmount * 100);
  return (
    <div className={styles.details}>
      <PaymentState payment={payment} />
      <PaymentRows amount={amount} monthly payment={payment} />
    </div>
  );
}

type Payable = Pick<
  PaymentByOtherWay,
  "way" | "reference" | "holder" | "iban" | "details" | "code"
>;

/** What to write on a payment, and where it goes. */
export function PaymentRows({
  amount,
  monthly = false,
  payment,
}: {
  readonly amount: string;
  readonly monthly?: boolean;
  readonly payment: Payable;
}) {
  return (
    <>
      <dl className={styles.rows}>
        <Row name={t("by")}>{t(`way.${payment.way}`)}</Row>
        <Row name={t("amount")}>{monthly ? t("amount-value", { amount }) : amount}</Row>
        <CopyRow
          help={t(monthly ? "reference-help" : "gift.reference-help")}
          name={t("reference")}
          value={payment.reference}
        />
        {payment.holder === "" ? null : <CopyRow name={t("holder")} value={payment.holder} />}
        {payment.iban === "" ? null : <CopyRow name={t("iban")} value={payment.iban} />}
        {payment.details === "" ? null : <CopyRow name={t("details")} value={payment.details} />}
      </dl>
      {payment.code === null ? null : (
        <figure className={styles.figure}>
          <svg
            aria-label={t("code")}
            className={styles.code}
            role="img"
            shapeRendering="crispEdges"
            viewBox={`0 0 ${payment.code.size} ${payment.code.size}`}
          >
            <path d={payment.code.path} />
          </svg>
          <figcaption className="muted sm">{t("code-help", { amount })}</figcaption>
        </figure>
      )}
    </>
  );
}

function PaymentState({ payment }: { readonly payment: PaymentByOtherWay }) {
  const today = useServerDay();
  const { paidUntil, pledgeStatus, mayVoteUntil: until } = payment;
  if (paidUntil === null) {
    return (
      <Alert kind="info" title={t("waiting")}>
        <p>{t("waiting-text")}</p>
      </Alert>
    );
  }
  const day = (iso: string) => formatDate(iso, new Date(today));
  const date = day(paidUntil);
  const paid = pledgeStatus === "active";
  const votes = until !== null && until >= today;
  const texts = [
    paid || votes ? t(paid ? "paid-text" : "due-text") : t("vote-again"),
    votes ? t("vote-until", { date: day(until) }) : "",
  ];
  return (
    <Alert kind={paid ? "info" : "warning"} title={t(paid ? "paid" : "due", { date })}>
      <p>{texts.join(" ").trim()}</p>
    </Alert>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function CopyRow({
  name,
  value,
  help,
}: {
  readonly name: string;
  readonly value: string;
  readonly help?: string;
}) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
      notify.success(t("copied"), "copied");
    } catch {
      notify.error(t("copy-failed"), "copy-failed");
    }
  };
  return (
    <div>
      <dt>{name}</dt>
      <dd className={styles.copied}>
        <b className={styles.value}>{value}</b>
        <Button
          icon={copied ? "check" : "copy"}
          kind="line"
          aria-label={t("copy-what", { what: name })}
          onClick={() => void copy()}
          size="sm"
        >
          {t(copied ? "copied" : "copy")}
        </Button>
      </dd>
      {help === undefined ? null : <dd className="muted sm">{help}</dd>}
    </div>
  );
}
