import type { VoteRule as Rule } from "@/api/schema";
import commonTexts from "@/messages/en/common.json";
import { translator } from "@/lib/text/messages";
import { voteRule } from "@/rules.json";

const t = translator(commonTexts);

type VoteRule = Pick<Rule, "num" | "den">;

/** The share of yes votes that a proposal needs, in per cent; a fraction of a tenth is rounded up. */
function percentToPass({ num, den }: VoteRule): number {
  return Math.ceil((num * 1000) / den) / 10;
}

/**
 * The values of texts about the share of yes votes that a proposal needs: `threshold`, such as "60%"
 * or "2/3", and `percent`. Without a proposal, the rule of new ones.
 */
export function wordsOfRule(rule: VoteRule = voteRule) {
  const percent = percentToPass(rule);
  const isWhole = (rule.num * 100) % rule.den === 0;
  const threshold = isWhole ? t("percent", { percent }) : `${rule.num}/${rule.den}`;
  return { percent, threshold };
}
