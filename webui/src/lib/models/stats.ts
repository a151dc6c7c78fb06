import { flag, list, number, object, text, withDefault, type Infer } from "@/lib/api/decode";

/** A figure of the headline, shown exactly as the server sent it. */
const claim = object({ figure: text, label: text, sample: withDefault(flag, false) });

/** The figures of the home and about pages. */
const stats = object({
  changemakers: number,
  monthlyDonationCents: number,
  cashAtHandCents: number,
  monthlyFixedCostCents: number,
  cashDeployedCents: number,
  donations: withDefault(number, 0),
  claims: withDefault(list(claim), []),
});

export type Stats = Infer<typeof stats>;

export const siteStats = { path: "/stats", decode: stats };
