import { ClothPiece } from "@/components/tile/tile";
import { Scene } from "@/components/scene/scene";
import aboutTexts from "@/messages/en/about.json";
import { classNames } from "@/lib/ui/class-names";
import { rich, translator } from "@/lib/text/messages";
import { formatDollars } from "@/lib/text/format";
import styles from "./about-sections.module.css";

const t = translator(aboutTexts);

const PILLARS = [
  ["pillar.1", "pillar.1-text", "healthcare", "hibiscus"],
  ["pillar.2", "pillar.2-text", "business", "marigold"],
  ["pillar.3", "pillar.3-text", "microgrid", "palm"],
] as const;

/** Why Jara exists. */
export function WhySection() {
  return (
    <section className={classNames("field-palm on-dark", styles.why)} id="why">
      <div className="wrap halves halves-why">
        <div className={styles.whyText}>
          <h1>{t("title")}</h1>
          <p className="lead">{t("lead")}</p>
        </div>
        <div className={styles.cloth}>
          <ClothPiece columns={4} from={5} rows={6} />
        </div>
      </div>
    </section>
  );
}

const TARGET = {
  target: formatDollars(50_000),
  small: formatDollars(5),
  large: formatDollars(100),
};

export function SolutionSection() {
  return (
    <section aria-labelledby="solution" className="section">
      <div className="wrap halves">
        <h2 className={styles.opener} id="solution">
          {t("solution")}
        </h2>
        <div className="prose">
          <p>{t("solution.1")}</p>
          <p>{rich(t("solution.2", TARGET), { b: (inner) => <b>{inner}</b> })}</p>
        </div>
      </div>
    </section>
  );
}

export function PillarsSection() {
  return (
    <section aria-labelledby="pillars">
      <div className="wrap">
        <h2 className={classNames(styles.opener, styles.gap)} id="pillars">
          {t("pillars")}
        </h2>
      </div>
      <div className={styles.pillars}>
        {PILLARS.map(([title, text, subject, tint]) => (
          <article className={styles[tint]} key={title}>
            <div className={styles.picture}>
              <Scene category={subject} subject={subject} />
            </div>
            <div className={styles.pillarText}>
              <h3>{t(title)}</h3>
              <p>{t(text)}</p>
            </div>
          </article>
        ))}
      </div>
    </section>
  );
}
