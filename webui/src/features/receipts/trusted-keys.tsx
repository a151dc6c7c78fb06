import type { ComponentProps } from "react";
import { lazyPart } from "@/components/lazy-part/lazy-part";
import receiptTexts from "@/messages/en/receipts.json";
import { translator } from "@/lib/text/messages";
import type { TrustedKeyFields } from "./trusted-key-fields";
import styles from "./check-form.module.css";

const t = translator(receiptTexts);

const Fields = lazyPart(async () => (await import("./trusted-key-fields")).TrustedKeyFields);

/** Where a reader pastes keys of the log and its witnesses that they got elsewhere. */
export function TrustedKeys(props: ComponentProps<typeof TrustedKeyFields>) {
  return (
    <details className={styles.keys}>
      <summary>{t("keys")}</summary>
      <Fields {...props} />
    </details>
  );
}
