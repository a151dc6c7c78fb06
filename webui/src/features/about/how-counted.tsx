import { ButtonLink } from "@/components/button/button";
import howTexts from "@/messages/en/how.json";
import type { SiteConfig } from "@/lib/models/config";
import { wordsOfRule } from "@/lib/models/vote-rule";
import { paths } from "@/lib/page/paths";
import { translator } from "@/lib/text/messages";
import { ballotKeyDays } from "@/rules.json";
import styles from "./how-steps.module.css";

const t = translator(howTexts);

/** How a vote is counted, and how to check it. */
export function HowCounted({ config }: { readonly config: SiteConfig | null }) {
  const values = { ...(config === null ? {} : wordsOfRule(config.voteRule)), days: ballotKeyDays };
  const rules = (["who", "rule", "secret", "whether", "receipt"] as const).filter((rule) => rule !== "rule" || config !== null);
  return (
    <section aria-labelledby="how-counted" className="section">
      <div className="wrap halves">
        <h2 id="how-counted">{t("count")}</h2>
        <div>
          <ol className={styles.rules}>
            {rules.map((rule) => (
              <li key={rule}>{t(`count.${rule}`, values)}</li>
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
