import { expect, test } from "vitest";
import { chargesFrom } from "./billing-day";

test.each([
  ["2026-11-21", "current", "2026-11-21", "2026-12-21"],
  ["2026-11-21", "1", "2026-12-01", "2027-01-01"],
  ["2026-11-21", "28", "2026-11-28", "2026-12-28"],
  ["2026-11-28", "28", "2026-11-28", "2026-12-28"],
  ["2026-11-29", "28", "2026-12-28", "2027-01-28"],
  ["2026-12-01", "1", "2026-12-01", "2027-01-01"],
  ["2026-12-31", "current", "2026-12-31", "2027-01-31"],
] as const)("on %s the day %s is charged on %s and then %s", (today, choice, first, next) => {
  expect(chargesFrom(today, choice)).toEqual({ first, next });
});

test.each([
  ["2027-01-31", "2027-02-28"],
  ["2028-01-30", "2028-02-29"],
  ["2026-10-31", "2026-11-30"],
])("after %s comes %s: a month without that day charges on its last one", (today, next) => {
  expect(chargesFrom(today, "current").next).toBe(next);
});
