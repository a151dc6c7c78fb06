import { beforeEach, expect, test, vi } from "vitest";
import { fakeApi } from "@/testing/fake-api";
import { aProfile } from "@/testing/member";

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
  const { currencyMarks, writeAmount } = await import("./currency");
  const { ResourceCache } = await import("@/lib/api/resource");
  fakeApi({ "GET /user/get-profile": aProfile({ isHomeCurrency: false }) });
  const write = () => writeAmount(123_450, "money").replaceAll(/\s/g, " ");

  expect(write()).toBe(home);
  expect(currencyMarks()).toContain("$");
  await new ResourceCache().reload("/user/get-profile");
  expect(write()).toBe(abroad);
  delete document.documentElement.dataset["homeCurrency"];
});
