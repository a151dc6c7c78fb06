import { beforeEach, expect, test, vi } from "vitest";

beforeEach(() => {
  vi.resetModules();
  document.documentElement.dataset["currency"] = "CAD";
});

// As the server writes them, by the same table of CLDR: tests/domain/test_money.py.
test.each([
  ["en", "$1,234.50", "CA$1,234.50"],
  ["fr-CA", "1 234,50 $", "1 234,50 $"],
])("in %s Canadian dollars have the sign of a reader in Canada", async (locale, home, abroad) => {
  vi.stubEnv("JARA_LOCALE", locale);
  document.documentElement.dataset["homeCurrency"] = "";
  const { currencyMarks, setHomeCurrency, writeAmount } = await import("./currency");
  const write = () => writeAmount(123_450, "money").replaceAll(/\s/g, " ");

  expect(write()).toBe(home);
  expect(currencyMarks()).toContain("$");
  setHomeCurrency(false);
  expect(write()).toBe(abroad);
  delete document.documentElement.dataset["homeCurrency"];
});
