import { formatDollars } from "@/lib/text/format";
import { pledgeDollarsMax, pledgeDollarsMin } from "@/rules.json";

export type AmountFault = "empty" | "not-whole" | "too-small" | "too-large";

/** Parses whole dollars a month, or says what is wrong. */
export function readPledge(
  typed: string,
):
  | { readonly dollars: number; readonly fault: null }
  | { readonly dollars: null; readonly fault: AmountFault } {
  const text = typed.trim();
  const dollars = Number(text);
  if (text === "") return { dollars: null, fault: "empty" };
  if (!Number.isInteger(dollars)) return { dollars: null, fault: "not-whole" };
  if (dollars < pledgeDollarsMin) return { dollars: null, fault: "too-small" };
  if (dollars > pledgeDollarsMax) return { dollars: null, fault: "too-large" };
  return { dollars, fault: null };
}

/** The limits of a pledge, as texts name them. */
export function pledgeLimits() {
  return { minimum: formatDollars(pledgeDollarsMin), maximum: formatDollars(pledgeDollarsMax) };
}
