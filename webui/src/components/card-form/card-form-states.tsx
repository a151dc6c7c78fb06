import { ErrorState } from "@/components/error-state/error-state";
import { Skeleton } from "@/components/skeleton/skeleton";
import cardTexts from "@/messages/en/card-form.json";
import commonTexts from "@/messages/en/common.json";
import { translator } from "@/lib/text/messages";
import styles from "./card-form.module.css";

const t = translator(cardTexts);
const common = translator(commonTexts);

/** Placeholder of the card form. */
export function CardFormWaiting() {
  return (
    <div className={styles.waiting}>
      <span className="vh" role="status">
        {t("loading")}
      </span>
      <Skeleton shape="block" />
    </div>
  );
}

export function CardFormError({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <div className={styles.failed}>
      <ErrorState
        message={t("failed-text")}
        onRetry={onRetry}
        retryText={common("try-again")}
        title={t("failed")}
      />
    </div>
  );
}
