import type { Statistics } from "@/api/schema";
import commonTexts from "@/messages/en/common.json";
import homeTexts from "@/messages/en/home.json";
import type { HeroTexts } from "@/lib/api/calls";
import { formatWholeDollars } from "@/lib/text/format";
import { LANGUAGE, translator } from "@/lib/text/messages";
import { writtenIn } from "@/lib/text/written";

const t = translator(homeTexts);
const common = translator(commonTexts);

/** Placeholders that the build writes and the server fills (home_page.py). */
export const HERO_SLOTS: HeroTexts = {
  badge: "{{first.badge}}",
  headline: "{{first.headline}}",
  lang: "{{first.lang}}",
  mark: "{{first.mark}}",
  live: "{{first.live}}",
};

/** What is said if the figures cannot be loaded. */
export const UNKNOWN: HeroTexts = {
  badge: t("hero.badge-unknown"),
  headline: `${t("meta.title")}.`,
  lang: LANGUAGE,
  mark: "",
  live: "",
};

/**
 * The operator's own figures exactly as written, "$1457 disbursed. 4 lives impacted.", with the books
 * below them; without any, the headline says what the books say.
 */
export function heroOf(stats: Statistics): HeroTexts {
  const { cashDeployedCents, donations, changemakers, claims } = stats;
  const figures = { amount: formatWholeDollars(cashDeployedCents), donations, people: changemakers };
  const known = { ...UNKNOWN, badge: t("hero.badge", { count: changemakers }) };
  if (claims.length > 0) {
    return {
      ...known,
      headline: claims.map(({ figure, label }) => `${figure} ${label}.`).join(" "),
      lang: claims.map((one) => writtenIn(one, "label").lang ?? LANGUAGE)[0] ?? LANGUAGE,
      mark: claims.some(({ sample }) => sample) ? common("sample") : "",
      live: t("hero.live", figures),
    };
  }
  if (cashDeployedCents > 0) return { ...known, headline: t("hero.headline", figures) };
  return { ...known, live: t("hero.live", figures) };
}
