import { ButtonLink } from "@/components/button/button";
import { SvgArt } from "@/components/svg-art/svg-art";
import howTexts from "@/messages/en/how.json";
import { classNames } from "@/lib/ui/class-names";
import { fundShares, type SiteConfig } from "@/lib/models/config";
import { wordsOfRule } from "@/lib/models/vote-rule";
import { pledgeLimits } from "@/lib/payments/pledge-limits";
import { formatDollars, formatNumber } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { useSignedIn } from "@/lib/session/session";
import { paths } from "@/lib/page/paths";
import { stepPictures } from "@/components/step-pictures/step-pictures";
import { quickDollars } from "@/rules.json";
import styles from "./how-steps.module.css";

const t = translator(howTexts);

/** The three steps in detail, with pictures on alternating sides. */
export function HowSteps({ config }: { readonly config: SiteConfig | null }) {
  const signedIn = useSignedIn();
  const [pledge, vote, track] = stepPictures(config);
  const first = signedIn ? ([t("1.member"), paths.dashboard] as const) : ([t("1.go"), paths.join] as const);
  const steps = [
    ["field-hibiscus", pledge, t("1"), pledgeText(), ...first],
    ["field-palm", vote, t("2"), config === null ? t("2.text-plain") : t("2.text", wordsOfRule(config.voteRule)), t("2.go"), paths.proposals],
    ["field-indigo", track, t("3"), trackText(config), t("3.go"), paths.ledger],
  ] as const;
  return steps.map(([field, picture, title, text, go, to]) => (
    <section className={classNames(field, "on-dark", styles.step)} key={title}>
      <div className={classNames("wrap halves halves-eq", styles.inner)}>
        <div className={styles.picture}>
          <SvgArt inner={picture} viewBox="0 0 300 200" />
        </div>
        <div className={styles.text}>
          <h2>{title}</h2>
          <p>{text}</p>
          <ButtonLink kind="line" to={to}>
            {go}
          </ButtonLink>
        </div>
      </div>
    </section>
  ));
}

function pledgeText(): string {
  return t("1.text", { ...pledgeLimits(), amounts: quickDollars.map(formatDollars).join(", ") });
}

function trackText(config: SiteConfig | null): string {
  if (config === null) return t("3.text-plain");
  const shares = fundShares(config.fundPolicy.weights).map(({ fund, percent }) => [
    fund,
    formatNumber(percent),
  ]);
  return t("3.text", Object.fromEntries(shares));
}
