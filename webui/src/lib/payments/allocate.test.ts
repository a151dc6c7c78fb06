import { expect, test } from "vitest";
import { allocateCents } from "./allocate";
import { FUNDS } from "@/lib/models/config";

const POLICY = { projects: 80, staff: 7, marketing: 9, other: 4 };

test("an allocation gives out every cent, whatever the amount", () => {
  for (let cents = 0; cents <= 2000; cents += 1) {
    const parts = allocateCents(cents, POLICY);
    expect(FUNDS.reduce((sum, fund) => sum + parts[fund], 0)).toBe(cents);
  }
});

test("the largest remainder gets the remaining cent", () => {
  expect(allocateCents(1001, POLICY)).toEqual({
    projects: 801,
    staff: 70,
    marketing: 90,
    other: 40,
  });
});

test("on a tie the earlier fund gets the cent", () => {
  const even = { projects: 1, staff: 1, marketing: 1, other: 1 };
  expect(allocateCents(2, even)).toEqual({ projects: 1, staff: 1, marketing: 0, other: 0 });
});

test("with all weights zero nothing is allocated", () => {
  const none = { projects: 0, staff: 0, marketing: 0, other: 0 };
  expect(allocateCents(100, none)).toEqual(none);
});
