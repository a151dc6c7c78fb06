import { dictionary, list, number, object, optional, text, withDefault } from "@/lib/api/decode";
import { useResource, type LoadedResource, type Resource } from "@/lib/api/resource";

/** One fund of the split, in percent. */
export type FundShare = { readonly fund: Fund; readonly percent: number };
export type Fund = "projects" | "staff" | "marketing" | "other";

/** Always these four, always in this order (design). */
export const FUNDS: readonly Fund[] = ["projects", "staff", "marketing", "other"];

export type SocialLink = { readonly name: string; readonly url: string };

/** What the server tells the site about itself. */
export type SiteConfig = {
  readonly organisation: string | null;
  readonly siteUrl: string | null;
  readonly payments: {
    readonly provider: string;
    readonly publishableKey: string | null;
  };
  readonly donateUrl: string | null;
  readonly contactEmail: string | null;
  readonly chatUrl: string | null;
  readonly socialLinks: readonly SocialLink[];
  readonly fundPolicy: Readonly<Record<Fund, number>>;
  /** The server's day, `2026-11-21`. */
  readonly today: string | null;
  readonly minimumPledge: number;
  readonly maximumPledge: number;
  readonly defaultPledge: number;
  readonly quickDollars: readonly number[];
  readonly giftCentsMin: number;
  readonly giftCentsMax: number;
  readonly passwordMin: number;
  readonly passwordMax: number;
};

const SOCIAL_NAMES: Readonly<Record<string, string>> = {
  facebook: "Facebook",
  instagram: "Instagram",
  linkedin: "LinkedIn",
  x: "X",
  youtube: "YouTube",
};

const weights = object<Record<Fund, number>>({
  projects: number,
  staff: number,
  marketing: number,
  other: number,
});

const wire = object({
  organisation: optional(text),
  siteUrl: optional(text),
  payments: object({ provider: text, publishableKey: optional(text) }),
  donateUrl: optional(text),
  contactEmail: optional(text),
  chatUrl: optional(text),
  social: withDefault(dictionary(text), {}),
  fundPolicy: object({ weights }),
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
});

export const siteConfig: Resource<SiteConfig> = {
  path: "/config",
  decode: (value) => {
    const { fundPolicy, limits, social, ...rest } = wire(value);
    return {
      ...rest,
      fundPolicy: fundPolicy.weights,
      socialLinks: Object.entries(social).map(([name, url]) => ({
        name: SOCIAL_NAMES[name] ?? name,
        url,
      })),
      minimumPledge: limits.pledgeDollarsMin,
      maximumPledge: limits.pledgeDollarsMax,
      defaultPledge: limits.pledgeDollarsDefault,
      quickDollars: limits.quickDollars,
      giftCentsMin: limits.giftCentsMin,
      giftCentsMax: limits.giftCentsMax,
      passwordMin: limits.passwordMin,
      passwordMax: limits.passwordMax,
    };
  },
};

/** True while payments are played and no card is charged. */
export function hasSandboxPayments(config: SiteConfig): boolean {
  return config.payments.provider === "sandbox";
}

export function useSiteConfig(): LoadedResource<SiteConfig> {
  return useResource(siteConfig);
}

/** The four shares in their order, in percent. */
export function fundShares(policy: Readonly<Record<Fund, number>>): FundShare[] {
  const sum = FUNDS.reduce((total, fund) => total + policy[fund], 0);
  return FUNDS.map((fund) => ({ fund, percent: sum === 0 ? 0 : (policy[fund] * 100) / sum }));
}
