import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import catalogueTexts from "@/messages/en/catalogue.json";
import impactTexts from "@/messages/en/impact.json";
import { rich, translator } from "./messages";

test("values and plurals are filled in", () => {
  const t = translator(catalogueTexts);

  expect(t("showing", { shown: 6, total: 9 })).toBe("Showing 6 of 9");
  expect(t("donations.total", { count: 1 })).toBe("Total of 1 donation");
  expect(t("donations.total", { count: 1200 })).toBe("Total of 1,200 donations");
});

test("two plurals can stand in one sentence", () => {
  const t = translator(impactTexts);

  expect(t("late", { count: 1 })).toBe(
    "1 entry was recorded after the period ended and is included in these figures.",
  );
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
