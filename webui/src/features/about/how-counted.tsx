import { ButtonLink } from "@/components/button/button";
import howTexts from "@/messages/en/how.json";
import { paths } from "@/lib/page/paths";
import { translator } from "@/lib/text/messages";
import styles from "./how-steps.module.css";

const t = translator(howTexts);

/** How a vote is counted, and how to check it. */
export function HowCounted() {
  return (
    <section aria-labelledby="how-counted" className="section">
      <div className="wrap halves">
        <h2 id="how-counted">{t("count")}</h2>
        <div>
          <ol className={styles.rules}>
            {(["who", "rule", "secret", "receipt"] as const).map((rule) => (
              <li key={rule}>{t(`count.${rule}`)}</li>
            ))}
          </ol>
          <ButtonLink kind="line" to={paths.checkVote}>
            {t("count.go")}
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}
