import { flag, list, number, object, text, withDefault } from "@/lib/api/decode";
import type { Resource } from "@/lib/api/resource";

/** A figure of the headline, shown letter for letter. */
export type Claim = { readonly figure: string; readonly label: string; readonly sample: boolean };

/** Every figure of the home and about pages. */
export type Stats = {
  readonly changemakers: number;
  readonly monthlyDonationCents: number;
  readonly cashAtHandCents: number;
  readonly monthlyFixedCostCents: number;
  readonly cashDeployedCents: number;
  readonly claims: readonly Claim[];
};

const claim = object<Claim>({ figure: text, label: text, sample: withDefault(flag, false) });

export const siteStats: Resource<Stats> = {
  path: "/stats",
  decode: object<Stats>({
    changemakers: number,
    monthlyDonationCents: number,
    cashAtHandCents: number,
    monthlyFixedCostCents: number,
    cashDeployedCents: number,
    claims: withDefault(list(claim), []),
  }),
};

/** The headline as the build knew it: shown while the figures are on their way, and never read. */
export const claimsAtBuild: Resource<Claim[]> = { path: "/stats#claims", decode: list(claim) };
