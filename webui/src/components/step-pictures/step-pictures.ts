import { pledgePicture, trackPicture, votePicture } from "@/art/pictures";
import homeTexts from "@/messages/en/home-rest.json";
import { fundShares, type SiteConfig } from "@/lib/models/config";
import { formatPercent, formatShortDollars } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";

const t = translator(homeTexts);

/** Pictures of the three steps, with the current minimum and split. */
export function stepPictures(config: SiteConfig | null): readonly [string, string, string] {
  const shares = config === null ? [] : fundShares(config.fundPolicy.weights).map(({ percent }) => ({ percent, text: formatPercent(percent) }));
  const amount = config === null ? "$" : formatShortDollars(config.limits.pledgeDollarsMin);
  return [
    pledgePicture(amount),
    votePicture({ yes: t("how.yes"), no: t("how.no"), mark: t("how.mark") }),
    trackPicture(shares),
  ];
}
