import { describe, expect, test } from "vitest";
import {
  countryName,
  formatCents,
  formatDate,
  formatDeadline,
  formatDollars,
  formatDollarsOfCents,
  formatMonth,
  formatPercent,
  formatShortDate,
  formatSignedCents,
  formatWeekday,
} from "./format";

const today = new Date("2026-11-21T12:00:00Z");

describe("money", () => {
  test("cents have two decimals, summaries none, and the minus is U+2212", () => {
    expect(formatCents(145_700)).toBe("$1,457.00");
    expect(formatCents(-1200)).toBe("\u2212$12.00");
    expect(formatDollarsOfCents(145_700)).toBe("$1,457");
    expect(formatDollarsOfCents(850)).toBe("$8.50");
    expect(formatDollars(-1457)).toBe("\u2212$1,457");
    expect(formatSignedCents(1000)).toBe("+$10.00");
    expect(formatSignedCents(-2600)).toBe("\u2212$26.00");
  });
});

describe("shares", () => {
  test("a share is never rounded up", () => {
    expect(formatPercent(49.96)).toBe("49.9%");
    expect(formatPercent(50)).toBe("50%");
    expect(formatPercent(31.2)).toBe("31.2%");
  });
});

describe("deadlines", () => {
  const toronto = { timeZone: "America/Toronto" };

  test("midnight is the last minute of the day in the organisation's time zone", () => {
    const end = Date.parse("2026-12-01T00:00:00-05:00");
    expect(formatDeadline(end, today, toronto)).toBe("Monday, 30 November, 23:59 EST");
    expect(formatDeadline(end, today, { timeZone: "UTC" })).toBe("Tuesday, 1 December, 05:00 UTC");
  });

  // The same rows as those of the emails, in tests/mail/test_local_time.py: there is one clock.
  test.each([
    ["UTC", "Thursday, 10 December, 23:59 UTC"],
    ["America/Toronto", "Thursday, 10 December, 19:00 EST"],
  ])("an end has the hour that the emails say, in %s", (timeZone, text) => {
    expect(formatDeadline(Date.parse("2026-12-11T00:00:00Z"), today, { timeZone })).toBe(text);
  });

  test("the offset is that of the day", () => {
    const end = Date.parse("2026-11-01T00:00:00-04:00");
    expect(formatDeadline(end, today, toronto)).toBe("Saturday, 31 October, 23:59 EDT");
  });
});

describe("dates", () => {
  test("dates are in UTC, with the year only if it differs", () => {
    expect(formatShortDate("2026-11-18")).toBe("18 Nov");
    expect(formatShortDate("2026-11-18T23:59:00Z")).toBe("18 Nov");
    expect(formatWeekday("2026-11-30", today)).toBe("Monday, 30 November");
    expect(formatDate("2025-03-12", today)).toBe("12 March 2025");
    expect(formatMonth("2026-10")).toBe("October 2026");
  });

  test("an invalid date is shown unchanged", () => {
    expect(formatShortDate("2025-11-18", new Date("2026-11-18"))).toBe("18 Nov 2025");
    expect(formatShortDate("soon")).toBe("soon");
  });
});

test("a country code becomes a name; unknown codes stay", () => {
  expect(countryName("TZ")).toBe("Tanzania");
  expect(countryName("?")).toBe("?");
});
