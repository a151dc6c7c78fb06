import { flag, list, number, object, oneOf, optional, text, withDefault } from "./decode";
import { useResource, type LoadedResource, type Resource } from "./resource";

/** One fund of the split, in percent. */
export type FundShare = { readonly fund: Fund; readonly percent: number };
export type Fund = "projects" | "staff" | "marketing" | "other";

/** Always these four, always in this order (design). */
export const FUNDS: readonly Fund[] = ["projects", "staff", "marketing", "other"];

export type SocialLink = { readonly name: string; readonly url: string };

/** What the server tells the site about itself. */
export type SiteConfig = {
  readonly paymentProvider: "stripe" | "sandbox";
  readonly publishableKey: string | null;
  readonly donateUrl: string | null;
  readonly contactEmail: string | null;
  readonly chatUrl: string | null;
  readonly siteUrl: string | null;
  readonly socialLinks: readonly SocialLink[];
  readonly fundPolicy: Readonly<Record<Fund, number>>;
  readonly minimumPledge: number;
  readonly maximumPledge: number;
  readonly sample: boolean;
};

const weights = object<Record<Fund, number>>({
  projects: number,
  staff: number,
  marketing: number,
  other: number,
});

const socialLink = object<SocialLink>({ name: text, url: text });

const wire = object({
  paymentProvider: oneOf(["stripe", "sandbox"]),
  publishableKey: optional(text),
  donateUrl: optional(text),
  contactEmail: optional(text),
  chatUrl: optional(text),
  siteUrl: optional(text),
  socialLinks: withDefault(list(socialLink), []),
  fundPolicy: object({ weights }),
  limits: object({ minimumPledge: number, maximumPledge: number }),
  sample: withDefault(flag, false),
});

export const siteConfig: Resource<SiteConfig> = {
  path: "/config",
  decode: (value) => {
    const { fundPolicy, limits, ...rest } = wire(value);
    return { ...rest, ...limits, fundPolicy: fundPolicy.weights };
  },
};

export function useSiteConfig(): LoadedResource<SiteConfig> {
  return useResource(siteConfig);
}

/** The four shares in their order, in percent. */
export function fundShares(policy: Readonly<Record<Fund, number>>): FundShare[] {
  const sum = FUNDS.reduce((total, fund) => total + policy[fund], 0);
  return FUNDS.map((fund) => ({ fund, percent: sum === 0 ? 0 : (policy[fund] / sum) * 100 }));
}
