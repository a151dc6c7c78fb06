import type { Budget, MemberBudget } from "@/api/schema";

export const BUDGET_ROWS = ["available", "allocated", "unallocated"] as const;
export type BudgetRowName = (typeof BUDGET_ROWS)[number];

/** The three rows of a year; a contributor also gets the funds and the plan. */
export type YearBudget = Budget & Partial<Pick<MemberBudget, "funds" | "plan">>;

/** The path of the income in each of the twelve months up to a day. */
export function incomePath(lastDay: string) {
  return `/impact?from=${yearBefore(lastDay)}&to=${lastDay}` as const;
}

/** The first day of the month eleven months before. */
export function yearBefore(lastDay: string): string {
  const [year = 0, month = 1] = lastDay.split("-").map(Number);
  return new Date(Date.UTC(year, month - 12, 1)).toISOString().slice(0, 10);
}
