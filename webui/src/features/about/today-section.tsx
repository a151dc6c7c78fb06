import type { Statistics } from "@/api/schema";
import { ButtonLink } from "@/components/button/button";
import { StatCard, StatRow } from "@/components/stat-card/stat-card";
import aboutTexts from "@/messages/en/about.json";
import commonTexts from "@/messages/en/common.json";
import { classNames } from "@/lib/ui/class-names";
import { formatWholeDollars, formatNumber } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import type { LoadedResource } from "@/lib/api/resource";
import styles from "./about-sections.module.css";

const t = translator(aboutTexts);
const common = translator(commonTexts);

/** Where Jara is today, in three figures. */
export function TodaySection({ stats }: { readonly stats: LoadedResource<Statistics> }) {
  const { data } = stats;
  const retryText = common("try-again");
  return (
    <section aria-labelledby="today">
      <div className={classNames("wrap", styles.gap)}>
        <h2 className={styles.opener} id="today">
          {t("today")}
        </h2>
      </div>
      <StatRow>
        <StatCard
          field="indigo"
          figure={data === null ? null : formatNumber(data.changemakers)}
          label={t("today.contributors")}
          retryText={retryText}
          state={stats}
          suffix={t("today.contributors-unit", { count: data?.changemakers ?? 0 })}
        >
          <ButtonLink kind="line" to={paths.join}>
            {t("today.contributors-go")}
          </ButtonLink>
        </StatCard>
        <StatCard
          field="night"
          figure={data === null ? null : formatWholeDollars(data.monthlyDonationCents)}
          label={t("today.income")}
          retryText={retryText}
          state={stats}
          suffix={t("today.income-unit")}
        >
          <ButtonLink kind="line" to={paths.ledger}>
            {t("today.income-go")}
          </ButtonLink>
        </StatCard>
        <StatCard
          field="hibiscus"
          figure={data === null ? null : formatWholeDollars(data.cashDeployedCents)}
          label={t("today.deployed")}
          retryText={retryText}
          state={stats}
        >
          <ButtonLink kind="line" to={paths.projects}>
            {t("today.deployed-go")}
          </ButtonLink>
        </StatCard>
      </StatRow>
    </section>
  );
}
