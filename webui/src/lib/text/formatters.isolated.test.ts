import { expect, test, vi } from "vitest";

test("a formatter is built when it is first needed, and kept", async () => {
  const built = vi.fn();
  class Counted extends Intl.NumberFormat {
    constructor(...given: ConstructorParameters<typeof Intl.NumberFormat>) {
      super(...given);
      built();
    }
  }
  vi.stubGlobal("Intl", Object.create(Intl, { NumberFormat: { value: Counted } }));
  const { numberFormat } = await import("./formatters");
  const { formatNumber } = await import("./format");
  expect(built).not.toHaveBeenCalled();

  expect(formatNumber(1234)).toBe("1,234");
  expect(numberFormat({ style: "percent" })).toBe(numberFormat({ style: "percent" }));
  expect(built).toHaveBeenCalledTimes(2);
});
