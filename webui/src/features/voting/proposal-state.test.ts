import { describe, expect, test } from "vitest";
import { isClosed } from "./proposal-state";

describe("the end of a vote", () => {
  test.each([
    ["open", "2026-11-30", "2026-11-30T23:59:59Z", false],
    ["open", "2026-11-30", "2026-12-01T00:00:00Z", true],
    ["open", "2026-11-30T12:00:00Z", "2026-11-30T11:59:59Z", false],
    ["open", "2026-11-30T12:00:00Z", "2026-11-30T12:00:00Z", true],
    ["passed", "2026-11-30", "2026-11-01T00:00:00Z", true],
  ] as const)("%s until %s is, at %s, closed: %s", (status, endDate, now, expected) => {
    expect(isClosed({ status, endDate }, new Date(now))).toBe(expected);
  });
});
