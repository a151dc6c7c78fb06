import { Cloth } from "@/components/cloth/cloth";
import homeTexts from "@/messages/en/home-rest.json";
import { formatNumber } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { useResource } from "@/lib/api/resource";
import { useSignedIn } from "@/lib/session/session";
import { memberCloth } from "@/art/member-cloth";
import styles from "./hero-cloth.module.css";

const t = translator(homeTexts);

/** The cloth of changemakers: one square each. */
export function HeroCloth() {
  const stats = useResource("/stats");
  const signedIn = useSignedIn();
  if (stats.data === null) {
    // An empty cloth while loading; a full one without caption after an error.
    return (
      <div className={styles.cloth}>
        <Cloth columns={10} id="hero" rows={10} woven={stats.status === "error" ? 100 : 0} />
        <p className={styles.caption}> </p>
      </div>
    );
  }
  const { changemakers } = stats.data;
  const { side, woven, unit, target } = memberCloth(changemakers);
  const values = { squares: formatNumber(side * side), woven, unit: formatNumber(unit) };
  return (
    <div className={styles.cloth}>
      <Cloth
        columns={side}
        id="hero"
        label={t(unit === 1 ? "hero.cloth" : "hero.cloth-tens", values)}
        nextWord={signedIn ? undefined : t("hero.you")}
        rows={side}
        weaveIn
        woven={woven}
      />
      <p className={styles.caption}>
        {captionOf(changemakers, unit)}
        <b>
          {changemakers === 0
            ? t("hero.be-first")
            : t("hero.of-first", { count: formatNumber(changemakers), target: formatNumber(target) })}
        </b>
      </p>
    </div>
  );
}

function captionOf(changemakers: number, unit: number): string {
  if (changemakers === 0) return t("hero.first");
  return unit === 1 ? t("hero.caption") : t("hero.caption-tens", { unit: formatNumber(unit) });
}
