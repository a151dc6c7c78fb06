import {
  dictionary,
  list,
  number,
  object,
  optional,
  text,
  withDefault,
  type Decoder,
} from "@/lib/api/decode";
import type { Resource } from "@/lib/api/resource";

export const BUDGET_ROWS = ["available", "allocated", "unallocated"] as const;
export type BudgetRowName = (typeof BUDGET_ROWS)[number];

/** What a fund was promised and what was really spent from it, in percent of the whole. */
export type FundLine = {
  readonly fund: string;
  readonly receivedCents: number;
  readonly spentCents: number;
  readonly heldCents: number;
  readonly promisedShare: number;
  readonly actualShare: number;
};

export type Budget = {
  readonly year: number;
  readonly cents: Readonly<Record<BudgetRowName, number>>;
  /** Null for visitors: the server does not send it. */
  readonly funds: readonly FundLine[] | null;
};

/** What a row of the budget is made of: sums by fund, by account, and promises to votes. */
export type BudgetDetails = {
  readonly funds: readonly Readonly<Record<string, string | number>>[];
  readonly accounts: readonly { readonly account: string; readonly cents: number }[];
  readonly commitments: readonly {
    readonly proposal: string;
    readonly heldCents: number;
    readonly paidCents: number;
  }[];
};

export type MonthIncome = { readonly month: string; readonly cents: number };

export type Transaction = {
  readonly id: string;
  readonly date: string;
  readonly description: string;
  readonly kind: string;
  readonly type: string;
  readonly amountCents: number;
  readonly funds: Readonly<Record<string, number>>;
  readonly details: {
    readonly category: string;
    readonly reference: string | null;
    readonly description: string;
  };
};

export type TransactionPage = {
  readonly items: readonly Transaction[];
  readonly next: string | null;
};

const budgetWire = object({
  year: number,
  availableCents: number,
  allocatedCents: number,
  unallocatedCents: number,
  funds: optional(
    list(
      object<FundLine>({
        fund: text,
        receivedCents: number,
        spentCents: number,
        heldCents: withDefault(number, 0),
        promisedShare: number,
        actualShare: number,
      }),
    ),
  ),
});

const textOrNumber: Decoder<string | number> = (value, where) =>
  typeof value === "string" ? value : number(value, where);

const detailsWire = object<BudgetDetails>({
  funds: list(dictionary(textOrNumber)),
  accounts: withDefault(list(object({ account: text, cents: number })), []),
  commitments: withDefault(
    list(object({ proposal: text, heldCents: number, paidCents: number })),
    [],
  ),
});

const monthsWire = object({
  months: list(object({ month: text, pledgesCents: number, giftsCents: number })),
});

const archiveWire = object({ archive: list(object({ from: text })) });

export const transactionPage = object<TransactionPage>({
  items: list(
    object<Transaction>({
      id: text,
      date: text,
      description: text,
      kind: text,
      type: text,
      amountCents: number,
      funds: withDefault(dictionary(number), {}),
      details: object({
        category: text,
        reference: optional(text),
        description: (value, where) => optional(text)(value, where) ?? "",
      }),
    }),
  ),
  next: optional(text),
});

const resources = new Map<string, Resource<unknown>>();

/** The three rows of a year; a contributor also gets the funds. */
export function budgetOf(year: number | null): Resource<Budget> {
  return once(`/ledger/budget${year === null ? "" : `?year=${year}`}`, (value) => {
    const { year: shown, funds, availableCents, allocatedCents, unallocatedCents } = budgetWire(value);
    const cents = {
      available: availableCents,
      allocated: allocatedCents,
      unallocated: unallocatedCents,
    };
    return { year: shown, cents, funds };
  });
}

export function budgetDetails(row: BudgetRowName, year: number): Resource<BudgetDetails> {
  return once(`/ledger/budget/${row}?year=${year}`, detailsWire);
}

/** What contributors gave in each of the last twelve months up to a day. */
export function monthlyIncome(lastDay: string): Resource<MonthIncome[]> {
  // What follows the sign marks the answer as read in this way; it is not sent.
  return once(`/impact?from=${yearBefore(lastDay)}&to=${lastDay}#months`, (value) =>
    monthsWire(value).months.map(({ month, pledgesCents, giftsCents }) => ({
      month,
      cents: pledgesCents + giftsCents,
    })),
  );
}

/** The years that have a report of their own, newest first. */
export const reportedYears: Resource<number[]> = {
  path: "/impact#years",
  decode: (value) => {
    const years = archiveWire(value).archive.map(({ from }) => Number(from.slice(0, 4)));
    return [...new Set(years)].toSorted((left, right) => right - left);
  },
};

/** The first day of the month eleven months before. */
export function yearBefore(lastDay: string): string {
  const [year = 0, month = 1] = lastDay.split("-").map(Number);
  return new Date(Date.UTC(year, month - 12, 1)).toISOString().slice(0, 10);
}

function once<T>(path: string, decode: Decoder<T>): Resource<T> {
  const known = resources.get(path) as Resource<T> | undefined;
  if (known !== undefined) return known;
  const resource = { path, decode };
  resources.set(path, resource as Resource<unknown>);
  return resource;
}
