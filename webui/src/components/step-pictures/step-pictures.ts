import { pledgePicture, trackPicture, votePicture } from "@/art/pictures";
import homeTexts from "@/messages/en/home-rest.json";
import { fundShares, type SiteConfig } from "@/lib/models/config";
import { wordsOfRule } from "@/lib/models/vote-rule";
import { formatDollars, formatPercent } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { pledgeDollarsMin } from "@/rules.json";

const t = translator(homeTexts);

/** Pictures of the three steps, with the minimum, the rule and the current split. */
export function stepPictures(config: SiteConfig | null): readonly [string, string, string] {
  const shares = config === null ? [] : fundShares(config.fundPolicy.weights).map(({ percent }) => ({ percent, text: formatPercent(percent) }));
  const { percent, threshold } = config === null ? { percent: 50, threshold: "" } : wordsOfRule(config.voteRule);
  return [
    pledgePicture(formatDollars(pledgeDollarsMin)),
    votePicture({ yes: t("how.yes"), no: t("how.no"), mark: threshold }, percent),
    trackPicture(shares),
  ];
}
