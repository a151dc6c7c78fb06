import { useState } from "react";
import type { FundPolicy, FundWeights, Settings } from "@/api/schema";
import { useResource, type LoadedResource } from "@/lib/api/resource";

/** The public settings of the server. */
export type SiteConfig = Settings;

/** The four funds, in the order in which they are always shown. */
export const FUNDS = ["projects", "staff", "marketing", "other"] as const;
export type Fund = (typeof FUNDS)[number];

/** One fund of the split, in percent. */
export type FundShare = { readonly fund: Fund; readonly percent: number };

/** True with sandbox payments: no card is charged. */
export function hasSandboxPayments(config: SiteConfig): boolean {
  return config.payments.provider === "sandbox";
}

/** True if payments can be made by card; also while the settings are not known. */
export function takesCards(config: SiteConfig | null): boolean {
  return config?.payments.provider !== "none";
}

/** Whether card fees also lower what projects get. */
export function projectsPayFees({ feeWeights }: Pick<FundPolicy, "feeWeights">): boolean {
  return feeWeights.projects > 0;
}

export function useSiteConfig(): LoadedResource<SiteConfig> {
  return useResource("/config");
}

/** The settings, or the previous ones while they are loaded again, so that a form stays. */
export function useKnownConfig(): SiteConfig | null {
  const { data } = useSiteConfig();
  const [known, setKnown] = useState(data);
  if (data !== null && data !== known) setKnown(data);
  return data ?? known;
}

/** The four shares in order, in percent. */
export function fundShares(policy: FundWeights): FundShare[] {
  const sum = FUNDS.reduce((total, fund) => total + policy[fund], 0);
  return FUNDS.map((fund) => ({ fund, percent: sum === 0 ? 0 : (policy[fund] * 100) / sum }));
}
