import receiptTexts from "@/messages/en/receipts.json";
import { classNames } from "@/lib/ui/class-names";
import { rich, translator } from "@/lib/text/messages";
import { WitnessesLine } from "@/components/witnesses-line/witnesses-line";
import { CheckForm } from "./check-form";
import styles from "./check-form.module.css";

const t = translator(receiptTexts);
const BUNDLE = "/api/proofs/bundle.tar";

/** The page: the check, and what it proves. */
export function CheckView() {
  return (
    <>
      <div className="wrap page-head">
        <h1 className="d1">{t("title")}</h1>
        <p className="lead">{t("intro")}</p>
      </div>
      <div className={classNames("wrap halves halves-why", styles.page)}>
        <CheckForm />
        <aside>
          <CheckWorth />
        </aside>
      </div>
    </>
  );
}

/** What a check proves, and what it does not. */
export function CheckWorth() {
  return (
    <>
      <dl className={styles.proofs}>
        <dt>{t("proves")}</dt>
        <dd>{t("proves.text")}</dd>
        <dt>{t("not-proves")}</dt>
        <dd>{t("not-proves.text")}</dd>
      </dl>
      <p>
        {rich(t("bundle"), {
          bundle: (inner) => (
            <a className="link" download href={BUNDLE}>
              {inner}
            </a>
          ),
        })}
      </p>
      <WitnessesLine />
    </>
  );
}
