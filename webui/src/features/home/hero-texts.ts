import type { Statistics } from "@/api/schema";
import commonTexts from "@/messages/en/common.json";
import homeTexts from "@/messages/en/home.json";
import type { HeroTexts } from "@/lib/api/calls";
import { amountOf, formatWholeDollars } from "@/lib/text/format";
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
  headline: inLines(`${t("meta.title")}.`),
  lang: LANGUAGE,
  mark: "",
  live: "",
};

/**
 * The operator's own figures exactly as written, "$1457 disbursed. 4 lives impacted.", with the books
 * below them: who gave, and how much of what was paid members voted on. Without any, the headline
 * says the latter.
 */
export function heroOf(stats: Statistics): HeroTexts {
  const { cashDeployedCents, pledgesCents, donatedCents, claims } = stats;
  const figures = {
    paid: amountOf(cashDeployedCents, formatWholeDollars),
    voted: amountOf(stats.votedOnCents, formatWholeDollars),
    pledges: amountOf(pledgesCents, formatWholeDollars),
    donated: amountOf(donatedCents, formatWholeDollars),
  };
  const known = {
    ...UNKNOWN,
    badge: t("hero.badge", { count: stats.changemakers }),
    live:
      pledgesCents + donatedCents <= 0
        ? ""
        : t(claims.length > 0 && cashDeployedCents > 0 ? "hero.live" : "hero.given", figures),
  };
  if (claims.length > 0) {
    return {
      ...known,
      headline: inLines(claims.map(({ figure, label }) => `${figure} ${label}.`).join(" ")),
      lang: claims.map((one) => writtenIn(one, "label").lang ?? LANGUAGE)[0] ?? LANGUAGE,
      mark: claims.some(({ sample }) => sample) ? common("sample") : "",
    };
  }
  return cashDeployedCents > 0 ? { ...known, headline: inLines(t("hero.headline", figures)) } : known;
}

/** A headline whose clauses begin on a line of their own: a number stays with what it counts. */
function inLines(headline: string): string {
  return headline.replaceAll(/([.,]) /g, "$1 \n");
}
