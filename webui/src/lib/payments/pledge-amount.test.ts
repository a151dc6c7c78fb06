import { expect, test } from "vitest";
import { readPledge } from "./pledge-amount";
import { pledgeDollarsMax, pledgeDollarsMin } from "@/rules.json";

test.each([pledgeDollarsMin, pledgeDollarsMax])("$%i a month, a limit, is accepted", (dollars) => {
  expect(readPledge(String(dollars))).toEqual({ dollars, fault: null });
});

test.each([
  [pledgeDollarsMin - 1, "too-small"],
  [pledgeDollarsMax + 1, "too-large"],
])("$%i a month is refused", (dollars, fault) => {
  expect(readPledge(String(dollars))).toEqual({ dollars: null, fault });
});
