import { Alert } from "@/components/alert/alert";
import { Icon } from "@/components/icon/icon";
import receiptTexts from "@/messages/en/receipts.json";
import { classNames } from "@/lib/ui/class-names";
import { translator } from "@/lib/text/messages";
import { useResource } from "@/lib/api/resource";
import type { Receipt } from "@/api/schema";
import { readBallotLeaf } from "./ballot";
import { isGood, type ReceiptCheck } from "./check-receipt";
import { isWitnessed, type WitnessCheck } from "./check-witnesses";
import { fateText } from "./fate-text";
import { signOf } from "./outcome";
import { WholeLog } from "./whole-log";
import { WitnessResults } from "./witness-results";
import styles from "./check-results.module.css";

const t = translator(receiptTexts);

/** The result of a check: one sentence, then every step. */
export function CheckResults({
  receipt,
  result,
  witnesses,
  at,
}: {
  readonly receipt: Receipt;
  readonly result: ReceiptCheck;
  readonly witnesses: WitnessCheck | null;
  readonly at: Date;
}) {
  const { checks } = result;
  const ballot = readBallotLeaf(receipt.leafBytes);
  const proposals = useResource("/user/get-proposals", ballot !== null).data;
  const title = proposals?.find(({ id }) => id === ballot?.proposal)?.title;
  return (
    <>
      <div className="stack">
        <Verdict at={at} receipt={receipt} result={result} witnesses={witnesses} />
        {ballot === null ? null : (
          <p>
            {t("ballot", { choice: ballot.choice, proposal: title ?? ballot.proposal })}{" "}
            <b className={styles.tracker}>{receipt.tracker}</b>
          </p>
        )}
        <ol className={styles.steps}>
          {checks.map(({ name, outcome }) => (
            <li key={name}>
              <span className={classNames(styles.sign, styles[outcome])}>
                <Icon name={signOf(outcome)} />
              </span>
              <span>
                {t(`step.${name}`)}
                <b className={classNames(styles.word, styles[outcome])}>{t(`outcome.${outcome}`)}</b>
              </span>
            </li>
          ))}
        </ol>
        <WholeLog receipt={receipt} />
      </div>
      {witnesses === null ? null : <WitnessResults at={at} check={witnesses} />}
    </>
  );
}

function Verdict({
  receipt,
  result: { checks, fate },
  witnesses,
  at,
}: {
  readonly receipt: Receipt;
  readonly result: ReceiptCheck;
  readonly witnesses: WitnessCheck | null;
  readonly at: Date;
}) {
  const others = checks.filter(({ name }) => name !== "listing");
  const isWitnessedToo = witnesses === null || isWitnessed(witnesses);
  if (fate === "missing" && isGood(others) && isWitnessedToo) {
    return (
      <Alert kind="danger" title={fateText(fate, receipt, at)}>
        <p>{t("bad-text")}</p>
      </Alert>
    );
  }
  if (!isGood(checks) || !isWitnessedToo) {
    return (
      <Alert kind="danger" title={t("bad")}>
        <p>{t("bad-text")}</p>
      </Alert>
    );
  }
  return (
    <p className={styles.good} role="status">
      <Icon name="check" />
      {fate === null ? t("good-partly") : fateText(fate, receipt, at)}
    </p>
  );
}
