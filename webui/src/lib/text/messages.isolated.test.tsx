import { render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import catalogueTexts from "@/messages/en/catalogue.json";
import impactTexts from "@/messages/en/impact.json";
import votingTexts from "@/messages/en/voting.json";
import { rich, translator } from "./messages";

test("values and plurals are filled in", () => {
  const t = translator(catalogueTexts);

  expect(t("showing", { shown: 6, total: 9 })).toBe("Showing 6 of 9");
  expect(t("donations.total", { count: 1 })).toBe("Total of 1 donation");
  expect(t("showing", { shown: 6, total: 1864 })).toBe("Showing 6 of 1,864");
  expect(t("donations.total", { count: 1200 })).toBe("Total of 1,200 donations");
});

test("two plurals can stand in one sentence", () => {
  const t = translator(impactTexts);

  expect(t("late", { count: 1 })).toBe(
    "1 entry was recorded after the period ended and is included in these figures.",
  );
});

test.each([
  [59, "0,59 $ donné"],
  [150, "1,50 $ donné"],
  [200, "2,00 $ donnés"],
])("a French sentence agrees with its amount of %i cents", async (cents, said) => {
  vi.stubEnv("JARA_LOCALE", "fr-CA");
  vi.resetModules();
  const french = await import("./messages");
  const given = ["amount", "plural", { one: ["#", " donné"], other: ["#", " donnés"] }];
  const t = french.translator({ given: [given] } as unknown as { given: string });

  expect(t("given", { amount: { text: said.slice(0, 6), units: cents / 100 } })).toBe(said);
});

test("elements can be put into a sentence", () => {
  render(
    <p>
      {rich("Agree to <a>the policy</a> now", { a: (inner) => <a href="/privacy">{inner}</a> })}
    </p>,
  );

  expect(screen.getByRole("link", { name: "the policy" })).toHaveAttribute("href", "/privacy");
  expect(screen.getByText(/^Agree to/)).toHaveTextContent("Agree to the policy now");
});

afterEach(() => {
  delete document.documentElement.dataset["name"];
  vi.resetModules();
});

test.each([
  ["Sankofa Circle", "Sankofa Circle", "straight from Sankofa Circle's books."],
  ["Givers", "Givers", "straight from Givers' books."],
  ["$& Co", "$& Co", "straight from $& Co's books."],
])("texts have the organisation's own name: %s", async (name, shown, genitive) => {
  document.documentElement.dataset["name"] = name;
  vi.resetModules();
  const own = await import("./messages");
  const t = own.translator(impactTexts);

  expect(own.HAS_OWN_NAME).toBe(true);
  expect(t("income.grants")).toBe(`Grants to ${shown}`);
  expect(t("meta.text")).toContain(genitive);
});

test("what a reader wrote keeps its words", async () => {
  document.documentElement.dataset["name"] = "Sankofa";
  vi.resetModules();
  const own = await import("./messages");

  expect(own.translator(votingTexts)("share.message", { title: "Jara wells", url: "/" })).toMatch(
    /“Jara wells” at Sankofa/,
  );
});
