import numbersTexts from "@/messages/en/numbers.json";
import { translator } from "./messages";
import { ambiguousReadings, type NumberFault } from "./number-reading";

const t = translator(numbersTexts);

/** What is wrong with a number, in a sentence; null for an empty field. */
export function numberFaultText(typed: string, fault: NumberFault | null, decimals: number): string | null {
  if (fault === null || fault === "empty") return null;
  if (fault !== "ambiguous") return t(fault, { typed: typed.trim(), decimals });
  return t(fault, ambiguousReadings(typed));
}
