import { SplitBar, SplitWaiting, type SplitPart } from "@/components/split-bar/split-bar";
import { fundShares, type Fund } from "@/lib/models/config";
import { formatNumber } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import fundTexts from "@/messages/en/funds.json";

const t = translator(fundTexts);

/** The parts of the split in words, for SplitBar and SplitDonut. */
export function splitParts(policy: Readonly<Record<Fund, number>>): SplitPart[] {
  return fundShares(policy).map(({ fund, percent }) => ({
    key: fund,
    label: t(`fund.${fund}`),
    percent,
  }));
}

/** The four percentages in one sentence. */
export function splitSentence(policy: Readonly<Record<Fund, number>>): string {
  return t(
    "fund.split-label",
    Object.fromEntries(
      fundShares(policy).map(({ fund, percent }) => [fund, formatNumber(percent)]),
    ),
  );
}

/** The current split; a placeholder until the policy is loaded. */
export function FundSplit({
  policy,
  onDark = false,
}: {
  readonly policy: Readonly<Record<Fund, number>> | null;
  readonly onDark?: boolean;
}) {
  if (policy === null) return <SplitWaiting />;
  return <SplitBar label={splitSentence(policy)} onDark={onDark} parts={splitParts(policy)} />;
}
