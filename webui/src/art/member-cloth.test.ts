import { expect, test } from "vitest";
import { memberCloth } from "./member-cloth";

test.each([
  [0, { side: 10, woven: 0, unit: 1, target: 100 }],
  [64, { side: 10, woven: 64, unit: 1, target: 100 }],
  [99, { side: 10, woven: 99, unit: 1, target: 100 }],
  [100, { side: 11, woven: 100, unit: 1, target: 121 }],
  [109, { side: 11, woven: 109, unit: 1, target: 121 }],
  [121, { side: 12, woven: 121, unit: 1, target: 144 }],
  [899, { side: 30, woven: 899, unit: 1, target: 900 }],
  [900, { side: 10, woven: 90, unit: 10, target: 1000 }],
  [12_345, { side: 12, woven: 123, unit: 100, target: 14_400 }],
])("%i changemakers are woven as %o", (count, cloth) => {
  expect(memberCloth(count)).toEqual(cloth);
});

test("the cloth always has room for one more square", () => {
  for (let count = 0; count < 20_000; count += 37) {
    const { side, woven } = memberCloth(count);

    expect(woven).toBeLessThan(side * side);
  }
});
