import {
  dictionary,
  list,
  mapped,
  number,
  object,
  oneOf,
  optional,
  text,
  withDefault,
  type Infer,
} from "@/lib/api/decode";
import { OTHER_WAYS } from "@/lib/models/other-ways";
import { useResource, type LoadedResource } from "@/lib/api/resource";

/** The four funds, in the order in which they are always shown. */
export const FUNDS = ["projects", "staff", "marketing", "other"] as const;
export type Fund = (typeof FUNDS)[number];

/** One fund of the split, in percent. */
export type FundShare = { readonly fund: Fund; readonly percent: number };

const SOCIAL_NAMES: Readonly<Record<string, string>> = {
  facebook: "Facebook",
  instagram: "Instagram",
  linkedin: "LinkedIn",
  x: "X",
  youtube: "YouTube",
};

const publicConfig = mapped(
  object({
    organisation: optional(text),
    legalName: optional(text),
    siteUrl: optional(text),
    payments: object({ provider: text, publishableKey: optional(text) }),
    /** What a card payment is expected to cost. */
    cardFee: withDefault(object({ basisPoints: number, fixedCents: number }), {
      basisPoints: 0,
      fixedCents: 0,
    }),
    /** Ways to pay a pledge beside the card. */
    ways: withDefault(list(oneOf(OTHER_WAYS)), []),
    donateUrl: optional(text),
    contactEmail: optional(text),
    chatUrl: optional(text),
    social: withDefault(dictionary(text), {}),
    fundPolicy: object({
      weights: object({ projects: number, staff: number, marketing: number, other: number }),
    }),
    /** The server's date, `2026-11-21`. */
    today: optional(text),
    limits: object({
      pledgeDollarsMin: number,
      pledgeDollarsMax: number,
      pledgeDollarsDefault: number,
      quickDollars: list(number),
      giftCentsMin: number,
      giftCentsMax: number,
      passwordMin: number,
      passwordMax: number,
    }),
  }),
  ({ fundPolicy, limits, social, ...rest }) => ({
    ...rest,
    ...limits,
    fundPolicy: fundPolicy.weights,
    socialLinks: Object.entries(social).map(([name, url]) => ({
      name: SOCIAL_NAMES[name] ?? name,
      url,
    })),
  }),
);

/** The public settings of the server. */
export type SiteConfig = Infer<typeof publicConfig>;

export const siteConfig = { path: "/config", decode: publicConfig };

/** True with sandbox payments: no card is charged. */
export function hasSandboxPayments(config: SiteConfig): boolean {
  return config.payments.provider === "sandbox";
}

export function useSiteConfig(): LoadedResource<SiteConfig> {
  return useResource(siteConfig);
}

/** The four shares in order, in percent. */
export function fundShares(policy: Readonly<Record<Fund, number>>): FundShare[] {
  const sum = FUNDS.reduce((total, fund) => total + policy[fund], 0);
  return FUNDS.map((fund) => ({ fund, percent: sum === 0 ? 0 : (policy[fund] * 100) / sum }));
}
