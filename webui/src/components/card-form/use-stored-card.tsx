import type { ReactNode } from "react";
import cardTexts from "@/messages/en/card-form.json";
import type { CardFormHandle } from "@/lib/payments/card-form-handle";
import { hasSandboxPayments, useSiteConfig } from "@/lib/models/config";
import { translator } from "@/lib/text/messages";
import { useSandboxConfirm } from "./sandbox-confirm-dialog";
import { confirmWithBank } from "./stripe-confirm";

const t = translator(cardTexts);

const storedMethod = () => Promise.resolve({ id: "stored", error: null });

/** The card that the payment provider has: nothing is typed, but the bank may ask its holder. */
export function useStoredCard(): { readonly card: CardFormHandle; readonly dialog: ReactNode } {
  const config = useSiteConfig().data;
  const sandbox = useSandboxConfirm();
  const confirm = async (clientSecret: string): Promise<string | null> => {
    if (config === null) return t("failed-text");
    if (hasSandboxPayments(config)) return await sandbox.confirm(clientSecret);
    const { loadStripeOnce } = await import("@/lib/payments/stripe");
    const stripe = await loadStripeOnce(config.payments.publishableKey ?? "").catch(() => null);
    return stripe === null ? t("failed-text") : await confirmWithBank(stripe, clientSecret);
  };
  return { card: { makePaymentMethod: storedMethod, confirm }, dialog: sandbox.dialog };
}
