import type { Ref } from "react";
import type { CardFormHandle } from "@/lib/payments/card-form-handle";
import { hasSandboxPayments, useKnownConfig, useSiteConfig } from "@/lib/models/config";
import { CardFormError, CardFormWaiting } from "./card-form-states";
import { SandboxBanner } from "./sandbox-banner";
import { SandboxCardForm } from "./sandbox-card-form";
import { StripeLoader } from "./stripe-loader";
import styles from "./card-form.module.css";

/** The card form: Stripe's, or our own with sandbox payments. */
export function CardForm({
  mode,
  amountCents,
  locked = false,
  ref,
}: {
  readonly mode: "subscription" | "payment";
  readonly amountCents: number;
  /** True while the outcome of the last attempt is unknown: nothing may change. */
  readonly locked?: boolean;
  readonly ref: Ref<CardFormHandle>;
}) {
  const state = useSiteConfig();
  const config = useKnownConfig();
  if (config === null) {
    return state.status === "error" ? (
      <CardFormError onRetry={state.reload} />
    ) : (
      <CardFormWaiting />
    );
  }
  if (hasSandboxPayments(config)) {
    return (
      <div className={styles.sandbox}>
        <SandboxBanner />
        <SandboxCardForm locked={locked} ref={ref} />
      </div>
    );
  }
  const { publishableKey } = config.payments;
  if (publishableKey === null) return <CardFormError onRetry={state.reload} />;
  return (
    <StripeLoader
      amountCents={amountCents}
      locked={locked}
      mode={mode}
      publishableKey={publishableKey}
      ref={ref}
    />
  );
}
