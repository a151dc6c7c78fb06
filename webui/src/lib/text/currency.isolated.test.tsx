import { beforeEach, expect, test, vi } from "vitest";
import { fakeApi } from "@/testing/fake-api";
import { aProfile } from "@/testing/member";
import { SITE_ANSWERS } from "@/testing/site-answers";

beforeEach(() => {
  vi.resetModules();
  document.body.replaceChildren();
  document.documentElement.dataset["currency"] = "CAD";
  delete document.documentElement.dataset["homeCurrency"];
});

// Of a visitor the browser says it, of a member the profile. The server writes the same signs, by
// the same table of CLDR: tests/domain/test_money.py.
test.each([
  ["/donations", "en", true, true, /^\$[\d,]+$/],
  ["/donations", "en", false, false, /^CA\$/],
  ["/donations", "fr-CA", true, true, /^[\d\s]+\s\$$/],
  ["/dashboard", "en", false, true, /^\$[\d,]+$/],
  ["/dashboard", "en", true, false, /^CA\$/],
])("amounts of %s in %s have the sign of the reader's country", async (path, locale, browser, isHome, sign) => {
  vi.stubEnv("JARA_LOCALE", locale);
  if (browser) document.documentElement.dataset["homeCurrency"] = "";
  if (path === "/dashboard") localStorage.setItem("token", "a.b.c");
  fakeApi({ ...SITE_ANSWERS, "GET /user/get-profile": aProfile({ isHomeCurrency: isHome }) });
  const { renderApp } = await import("@/testing/render-app");
  const { currencyMarks } = await import("./currency");
  renderApp(path);
  const amounts = () => document.querySelector("main")?.textContent.match(/(?:CA)?\$\d[\d,]*|\d[\d\s]*\s\$(?: CA)?/g) ?? [];

  await vi.waitFor(() => expect(amounts().length).toBeGreaterThan(3), 5000);
  expect(amounts().filter((amount) => !sign.test(amount))).toEqual([]);
  expect(currencyMarks()).toContain("$");
});
