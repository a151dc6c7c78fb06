import type { Statistics } from "@/api/schema";
import { Button, ButtonLink } from "@/components/button/button";
import { FundSplit } from "@/components/fund-split/fund-split";
import { LoadFailure } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import commonTexts from "@/messages/en/common.json";
import homeTexts from "@/messages/en/home-rest.json";
import { classNames } from "@/lib/ui/class-names";
import { useSiteConfig } from "@/lib/models/config";
import { formatWholeDollars, formatNumber } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { useSignedIn } from "@/lib/session/session";
import { useResource, type LoadedResource } from "@/lib/api/resource";
import styles from "./open-ledger.module.css";

const t = translator(homeTexts);
const common = translator(commonTexts);

/** The finances in five figures, and the fund split. */
export function OpenLedger() {
  const stats = useResource("/stats");
  const site = useSiteConfig();
  const signedIn = useSignedIn();
  return (
    <section aria-labelledby="ledger-title" className="below field-night on-dark section">
      <div className="wrap">
        <div className="halves">
          <div>
            <h2 className="d1" id="ledger-title">
              {t("ledger.title")}
            </h2>
            <p className={classNames("lead", styles.lead)}>{t("ledger.lead")}</p>
            <div className="row">
              <ButtonLink kind="accent" to={paths.ledger}>
                {t("ledger.view")}
              </ButtonLink>
              <ButtonLink kind="line" to={paths.follow}>
                {t("ledger.follow")}
              </ButtonLink>
              <ButtonLink kind="line" to={signedIn ? paths.dashboard : paths.join}>
                {t(signedIn ? "how.dashboard" : "ledger.start")}
              </ButtonLink>
            </div>
          </div>
          <LedgerRows stats={stats} />
        </div>
        <div className={styles.split}>
          <h3>{t("ledger.threads")}</h3>
          {site.status === "error" ? (
            <LoadFailure state={site} what={t("ledger.failed")} />
          ) : (
            <FundSplit onDark policy={site.data?.fundPolicy.weights ?? null} />
          )}
        </div>
      </div>
    </section>
  );
}

function LedgerRows({ stats }: { readonly stats: LoadedResource<Statistics> }) {
  const { data, status, reload } = stats;
  const rows: readonly (readonly [string, string | null, boolean])[] = [
    [t("ledger.changemakers"), data === null ? null : formatNumber(data.changemakers), false],
    [t("ledger.monthly"), money(data?.monthlyDonationCents), true],
    [t("ledger.cash"), money(data?.cashAtHandCents), false],
    [t("ledger.fixed"), money(data?.monthlyFixedCostCents), true],
    [t("ledger.deployed"), money(data?.cashDeployedCents), false],
  ];
  return (
    <div>
      <dl className={styles.rows}>
        {rows.map(([label, figure, monthly]) => (
          <div className={styles.row} key={label}>
            <dt>{label}</dt>
            <dd className="num">
              {status === "loading" ? <Skeleton shape="numeral" /> : (figure ?? "—")}
              {monthly && figure !== null ? <small> {t("ledger.per-month")}</small> : null}
            </dd>
          </div>
        ))}
      </dl>
      {status === "error" ? (
        <div className={classNames("row", styles.retry)} role="alert">
          <p>{t("ledger.failed")}</p>
          <Button icon="retry" kind="line" onClick={reload} size="sm">
            {common("try-again")}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function money(cents: number | undefined): string | null {
  return cents === undefined ? null : formatWholeDollars(cents);
}
