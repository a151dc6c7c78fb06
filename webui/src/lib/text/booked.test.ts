import { expect, test } from "vitest";
import { bookedText } from "./booked";
import { inBothCurrencies } from "./foreign";

test("words of the books are known, and what people wrote stays", () => {
  expect(bookedText("Pledge payment")).toBe("Pledge payment");
  expect(bookedText("Petrol for the boat")).toBe("Petrol for the boat");
});

test("amounts in other currencies are written as the page's language writes them", () => {
  const text = inBothCurrencies(315_000, { text: "TZS 8,347,500", rate: "2650.00" });
  expect(text.replaceAll("\u00a0", " ")).toBe("$3,150.00 = TZS 8,347,500 at 2,650.00");
  expect(inBothCurrencies(100, { text: "unreadable", rate: "1.50" })).toBe("$1.00 = unreadable at 1.50");
});
