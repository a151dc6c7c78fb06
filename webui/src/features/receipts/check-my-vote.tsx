import { Link } from "react-router-dom";
import { Button, ButtonLink } from "@/components/button/button";
import receiptTexts from "@/messages/en/receipts.json";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import type { Receipt } from "@/api/schema";
import { CheckOutcome } from "./check-form";
import { useReceiptCheck } from "./use-receipt-check";
import styles from "./check-form.module.css";

const t = translator(receiptTexts);

/** The check on a proposal's page, with the receipt stored in this browser. */
export function CheckMyVote({ receipt }: { readonly receipt: Receipt | null }) {
  const [state, check] = useReceiptCheck();
  if (receipt === null) {
    return (
      <div className={styles.kept}>
        <p className="muted">{t("none")}</p>
        <ButtonLink kind="line" to={paths.checkVote}>
          {t("check")}
        </ButtonLink>
      </div>
    );
  }
  return (
    <div className={styles.kept}>
      <p className="muted">{t("kept")}</p>
      <Button
        busy={state.status === "running" && t("checking")}
        kind="line"
        onClick={() => void check(JSON.stringify(receipt))}
      >
        {t("check")}
      </Button>
      <CheckOutcome state={state} />
      <p>
        <Link className="link" to={paths.checkVote}>
          {t("worth")}
        </Link>
      </p>
    </div>
  );
}
