import { expect, test } from "vitest";
import { coverFee, coverPledge, estimateFee } from "./card-fee";

const FEE = { basisPoints: 290, fixedCents: 30 };
const FEES = [FEE, { basisPoints: 0, fixedCents: 0 }, { basisPoints: 1999, fixedCents: 7 }];

const SMALL = Array.from({ length: 30_000 }, (_, index) => 100 + index);
const LARGE = Array.from({ length: 2000 }, (_, index) => 99_999_900 - index * 49_957);

test("the fee is rounded like the card company's", () => {
  expect([1000, 1060, 50].map((cents) => estimateFee(cents, FEE))).toEqual([59, 61, 31]);
});

test.each(FEES)("exactly the gift is left of the smallest payment that covers the fee %o", (fee) => {
  const wrong = [...SMALL, ...LARGE].filter((gift) => {
    const charged = coverFee(gift, fee);
    const less = charged - 1;
    return (
      charged - estimateFee(charged, fee) !== gift || less - estimateFee(less, fee) >= gift
    );
  });
  expect(wrong).toEqual([]);
});

test("a pledge covers the fee in whole dollars, never by more than needed", () => {
  for (let dollars = 5; dollars <= 999; dollars += 1) {
    const whole = coverPledge(dollars, FEE);
    const left = (pledge: number) => pledge * 100 - estimateFee(pledge * 100, FEE);
    expect(left(whole)).toBeGreaterThanOrEqual(dollars * 100);
    expect(left(whole - 1)).toBeLessThan(dollars * 100);
  }
});
