import {
  dictionary,
  list,
  mapped,
  number,
  object,
  optional,
  text,
  withDefault,
  type Decoder,
  type Infer,
} from "@/lib/api/decode";
import { bookedText } from "@/lib/text/booked";
import { foreignAmount } from "@/lib/text/foreign";
import { resourceAt, type Resource } from "@/lib/api/resource";

export const BUDGET_ROWS = ["available", "allocated", "unallocated"] as const;
export type BudgetRowName = (typeof BUDGET_ROWS)[number];

/** A fund's promised share and what was spent from it, in percent of the whole. */
const fundLine = object({
  fund: text,
  receivedCents: number,
  spentCents: number,
  heldCents: withDefault(number, 0),
  promisedShare: number,
  actualShare: number,
});

const budget = mapped(
  object({
    year: number,
    availableCents: number,
    allocatedCents: number,
    unallocatedCents: number,
    spentCents: withDefault(number, 0),
    heldCents: withDefault(number, 0),
    /** Null for visitors: the server does not send it. */
    funds: optional(list(fundLine)),
  }),
  ({ year, funds, availableCents, allocatedCents, unallocatedCents, spentCents, heldCents }) => ({
    year,
    funds,
    spentCents,
    heldCents,
    cents: {
      available: availableCents,
      allocated: allocatedCents,
      unallocated: unallocatedCents,
    },
  }),
);

const textOrNumber: Decoder<string | number> = (value, where) =>
  typeof value === "string" ? value : number(value, where);

/** What a row of the budget consists of: sums by fund, by account, and commitments to votes. */
const details = object({
  funds: list(dictionary(textOrNumber)),
  accounts: withDefault(list(object({ account: text, cents: number })), []),
  commitments: withDefault(
    list(object({ proposal: text, heldCents: number, paidCents: number })),
    [],
  ),
});

const months = mapped(
  object({ months: list(object({ month: text, pledgesCents: number, giftsCents: number })) }),
  (answer) =>
    answer.months.map(({ month, pledgesCents, giftsCents }) => ({
      month,
      cents: pledgesCents + giftsCents,
    })),
);

const transaction = object({
  id: text,
  date: text,
  description: bookedText,
  kind: text,
  type: text,
  amountCents: number,
  foreign: optional(foreignAmount),
  funds: withDefault(dictionary(number), {}),
  details: object({
    category: text,
    reference: optional(text),
    description: withDefault(bookedText, ""),
  }),
});

export const transactionPage = object({ items: list(transaction), next: optional(text) });

export type FundLine = Infer<typeof fundLine>;
export type Budget = Infer<typeof budget>;
export type BudgetDetails = Infer<typeof details>;
export type MonthIncome = Infer<typeof months>[number];
export type Transaction = Infer<typeof transaction>;

/** The three rows of a year; a contributor also gets the funds. */
export function budgetOf(year: number | null): Resource<Budget> {
  return resourceAt(`/ledger/budget${year === null ? "" : `?year=${year}`}`, budget);
}

export function budgetDetails(row: BudgetRowName, year: number): Resource<BudgetDetails> {
  return resourceAt(`/ledger/budget/${row}?year=${year}`, details);
}

/** What contributors gave in each of the twelve months up to a day. */
export function monthlyIncome(lastDay: string): Resource<readonly MonthIncome[]> {
  // The fragment is not sent; it tells apart resources that decode the same answer differently.
  return resourceAt(`/impact?from=${yearBefore(lastDay)}&to=${lastDay}#months`, months);
}

/** The years that have a report of their own, newest first. */
export const reportedYears = {
  path: "/impact#years",
  decode: mapped(object({ archive: list(object({ from: text })) }), ({ archive }) => {
    const years = archive.map(({ from }) => Number(from.slice(0, 4)));
    return [...new Set(years)].toSorted((left, right) => right - left);
  }),
};

/** The first day of the month eleven months before. */
export function yearBefore(lastDay: string): string {
  const [year = 0, month = 1] = lastDay.split("-").map(Number);
  return new Date(Date.UTC(year, month - 12, 1)).toISOString().slice(0, 10);
}
