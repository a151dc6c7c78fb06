import type { YearBudget } from "./api";

export type MoneyPart = {
  readonly key: "projects" | "staff" | "marketing" | "other" | "spent" | "held" | "free";
  readonly cents: number;
};

const RUNNING = ["staff", "marketing", "other"] as const;

/** Where a year's money went and where it is now; the parts add up to what was available. */
export function moneyParts({ funds, spentCents, heldCents, unallocatedCents }: YearBudget): MoneyPart[] {
  const spentBy = (...names: string[]) =>
    (funds ?? [])
      .filter(({ fund }) => names.includes(fund))
      .reduce((sum, line) => sum + line.spentCents, 0);
  const spent: MoneyPart[] =
    funds === undefined
      ? [{ key: "spent", cents: spentCents }]
      : [
          // Money that a vote set aside is paid to projects.
          { key: "projects", cents: spentBy("projects", "committed") },
          ...RUNNING.map((key) => ({ key, cents: spentBy(key) })),
        ];
  return [...spent, { key: "held", cents: heldCents }, { key: "free", cents: unallocatedCents }];
}
