export type AmountFault = "empty" | "not-whole" | "too-small" | "too-large";

export type PledgeLimits = { readonly pledgeDollarsMin: number; readonly pledgeDollarsMax: number };

/** Parses whole dollars a month, or says what is wrong. */
export function readPledge(
  typed: string,
  limits: PledgeLimits,
):
  | { readonly dollars: number; readonly fault: null }
  | { readonly dollars: null; readonly fault: AmountFault } {
  const text = typed.trim();
  const dollars = Number(text);
  if (text === "") return { dollars: null, fault: "empty" };
  if (!Number.isInteger(dollars)) return { dollars: null, fault: "not-whole" };
  if (dollars < limits.pledgeDollarsMin) return { dollars: null, fault: "too-small" };
  if (dollars > limits.pledgeDollarsMax) return { dollars: null, fault: "too-large" };
  return { dollars, fault: null };
}
