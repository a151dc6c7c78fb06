import { expect, test } from "vitest";
import { ambiguousReadings, numberForm, readNumber } from "./number-reading";

const ENGLISH = numberForm("en");
const FRENCH = numberForm("fr-CA");
const GROUPS = ["", ",", ".", " ", "\u00a0", "\u202f", "'", "\u2019"];
const NUMBERS = [0, 5, 7, 12, 99, 100, 505, 999, 1000, 1864, 12_505, 999_999, 1_234_567];
const PARTS = ["", "0", "5", "50", "05", "99"];

/** Ways of writing numbers: every sign between groups with every other one before decimals. */
const WRITTEN = NUMBERS.flatMap((whole) =>
  PARTS.flatMap((part) =>
    GROUPS.flatMap((group) =>
      [".", ","]
        .filter((point) => point !== group)
        .map((point) => ({
          text: `${grouped(whole, group)}${part === "" ? "" : point + part}`,
          number: Number(`${whole}.${part}`),
        })),
    ),
  ),
);

test.each([
  ["English", ENGLISH],
  ["French", FRENCH],
])("%s reads every form that leaves no doubt", (_, form) => {
  for (const { text, number } of WRITTEN) {
    const { value, fault } = readNumber(text, 2, form);
    const isDoubtful = /^[1-9]\d{0,2}[.,]\d{3}$/.test(text) && !text.includes(form.group);
    expect([text, fault ?? Number(value)]).toEqual([text, isDoubtful ? "ambiguous" : number]);
  }
});

test.each(["en", "fr-CA", "fr", "de", "de-CH", "es", "pt"])("what %s writes is read there as the same number", (locale) => {
  const form = numberForm(locale);
  for (let cents = 0; cents < 4_000_000; cents += 3701) {
    for (const digits of [0, 1, 2]) {
      const exact = Number((cents / 100).toFixed(digits));
      const text = new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(exact);
      expect([text, Number(readNumber(text, 2, form).value)]).toEqual([text, exact]);
    }
  }
});

test.each([
  ["12,505", 2, FRENCH, null, "ambiguous"],
  ["12,505", 2, ENGLISH, "12505", null],
  ["12.505", 2, ENGLISH, null, "ambiguous"],
  ["12,505", 3, FRENCH, "12.505", null],
  ["12.505", 3, FRENCH, null, "ambiguous"],
  ["0,505", 2, FRENCH, null, "decimals"],
  ["12,5055", 2, FRENCH, null, "decimals"],
  ["5,50", 0, FRENCH, null, "decimals"],
  ["5,00", 0, ENGLISH, "5", null],
  ["-5", 0, ENGLISH, "-5", null],
  ["\u22125,5", 2, FRENCH, "-5.5", null],
  ["-0", 0, ENGLISH, "0", null],
  ["007", 0, ENGLISH, "7", null],
  [".5", 2, ENGLISH, "0.5", null],
  ["5,", 2, FRENCH, "5", null],
  [" ", 2, ENGLISH, null, "empty"],
] as const)("%j with %i decimals", (text, decimals, form, value, fault) => {
  expect(readNumber(text, decimals, form)).toEqual({ value, fault });
});

test.each(["-", ",", "1e3", "0x10", "5 5", "1,2,3", "1.234.5", "1 2345", "12,34,567", "1,234 567", "1,5.5,5", "five", "\u0665", "NaN", "5-"])(
  "%j is no number",
  (text) => {
    expect(readNumber(text, 2, ENGLISH)).toEqual({ value: null, fault: "none" });
    expect(readNumber(text, 2, FRENCH)).toEqual({ value: null, fault: "none" });
  },
);

test("an ambiguous number is told as the reader writes numbers", () => {
  const french = { typed: "12,505", whole: "12\u00a0505", part: "12,505", plain: "12505" };
  expect(ambiguousReadings(" 12,505 ", "fr-CA")).toEqual(french);
  const english = { typed: "12.505", whole: "12,505", part: "12.505", plain: "12505" };
  expect(ambiguousReadings("12.505", "en")).toEqual(english);
});

function grouped(whole: number, sign: string): string {
  return String(whole).replaceAll(/\B(?=(?:\d{3})+$)/g, sign);
}
