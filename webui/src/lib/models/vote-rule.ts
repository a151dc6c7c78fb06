import type { VoteRule } from "@/api/schema";
import ruleTexts from "@/messages/en/vote-rule.json";
import commonTexts from "@/messages/en/common.json";
import { translator } from "@/lib/text/messages";

const t = translator(ruleTexts);
const common = translator(commonTexts);

/**
 * The words of a vote rule, the only place that puts one into words; `jara.domain.voting.tally`
 * has the same sentences. A server of 0.2.0 tells no rule: it had this one.
 */
export function wordsOfRule(rule: VoteRule = { num: 1, den: 2, of: "roll" }) {
  const { num, den, of, quorum } = rule;
  const share = shareText(num, den);
  const portion = t(rule.more ? "more" : "least", { share });
  const least = quorum ? t("least", { share: shareText(quorum.num, quorum.den) }) : null;
  const whole = (form: "passes" | "requires") => {
    const told = t(`${form}.${of}`, { portion });
    return least === null ? told : t(`${form}.quorum`, { rule: told, portion: least });
  };
  return {
    /** The share in per cent; a fraction of a tenth is rounded up. */
    percent: Math.ceil((num * 1000) / den) / 10,
    /** At a mark: "60%", "2/3" or "more than 50%". */
    threshold: rule.more ? portion : share,
    /** What ends "A proposal passes when …". */
    rule: whole("passes"),
    /** "It passes when …." */
    sentence: t("sentence", { rule: whole("passes") }),
    /** What stands in "This vote will require … for it to pass.". */
    required: whole("requires"),
    /** The sentence about not voting. */
    absent: t(`absent.${of}`),
    /** What the share is of, after "the mark is at …". */
    measured: t(`measured.${of}`, { share }),
  };
}

function shareText(num: number, den: number): string {
  return (num * 100) % den === 0 ? common("percent", { percent: (num * 100) / den }) : `${num}/${den}`;
}
