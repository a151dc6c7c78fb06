import numbersTexts from "@/messages/en/numbers.json";
import { numberFaultText } from "@/lib/text/number-fault";
import { readNumber, type NumberFault } from "@/lib/text/number-reading";
import { translator } from "@/lib/text/messages";
import { pledgeDollarsMax, pledgeDollarsMin } from "@/rules.json";
import { pledgeLimits } from "./pledge-limits";

const t = translator(numbersTexts);

export type AmountFault = NumberFault | "too-small" | "too-large";

/** Parses whole dollars a month, or says what is wrong. */
export function readPledge(
  typed: string,
):
  | { readonly dollars: number; readonly fault: null }
  | { readonly dollars: null; readonly fault: AmountFault } {
  const { value, fault } = readNumber(typed, 0);
  if (fault !== null) return { dollars: null, fault };
  const dollars = Number(value);
  if (dollars < pledgeDollarsMin) return { dollars: null, fault: "too-small" };
  if (dollars > pledgeDollarsMax) return { dollars: null, fault: "too-large" };
  return { dollars, fault: null };
}

/** What is wrong with a pledge, in a sentence; null for nothing, also for an empty field. */
export function pledgeFaultText(typed: string): string | null {
  const { fault } = readPledge(typed);
  if (fault === null) return null;
  if (fault === "too-small" || fault === "too-large") return t(`pledge.${fault}`, pledgeLimits());
  return fault === "decimals" ? t("pledge.not-whole") : numberFaultText(typed, fault, 0);
}

/** A pledge as digits, `7` for `07`; what cannot be read stays as it is. */
export function plainPledge(typed: string): string {
  const { value } = readNumber(typed, 0);
  return value ?? typed;
}
