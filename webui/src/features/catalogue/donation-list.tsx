import type { Donations } from "@/api/schema";
import { ButtonLink } from "@/components/button/button";
import { Band } from "@/components/band/band";
import { MoneyPages } from "@/components/money-pages/money-pages";
import { PaidList } from "@/components/paid-list/paid-list";
import { Skeleton } from "@/components/skeleton/skeleton";
import { ThreadBar } from "@/components/thread-bar/thread-bar";
import catalogueTexts from "@/messages/en/catalogue.json";
import { classNames } from "@/lib/ui/class-names";
import { formatDollars, formatNumber, formatWholeDollars } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { useResource, type LoadedResource } from "@/lib/api/resource";
import { Listed } from "./listed";
import { PaidFor } from "./paid-for";
import { CountryCode } from "./project-card";
import styles from "./donation-list.module.css";

const t = translator(catalogueTexts);
const CENTS_PER_THREAD = 10_000;

/** The donations page: the total and every donation. */
export function DonationsView() {
  const donations = useResource("/donations");
  return (
    <>
      <div className="field-hibiscus on-dark">
        <div className={classNames("wrap", "page-head", "halves", styles.head)}>
          <div>
            <h1 className="d1">{t("donations.title")}</h1>
            <ButtonLink className={styles.learn} kind="line" to={paths.how}>
              {t("donations.learn-more")}
              <span className="vh"> {t("donations.learn-more-of")}</span>
            </ButtonLink>
          </div>
          <FundMetrics state={donations} />
        </div>
      </div>
      <Band eager thin />
      <section aria-labelledby="donation-list" className="wrap section">
        <div className={classNames("row", "between", styles.title)}>
          <h2 id="donation-list">{t("donations.list")}</h2>
          {donations.data?.count === 0 ? null : (
            <p className="muted">{t("donations.thread", { amount: formatDollars(100) })}</p>
          )}
        </div>
        <MoneyPages here="donations" />
        <Listed isEmpty={({ count }) => count === 0} kind="donations" state={donations}>
          {(data) => <Rows data={data} />}
        </Listed>
      </section>
    </>
  );
}

function FundMetrics({ state }: { readonly state: LoadedResource<Donations> }) {
  const waiting = state.status === "loading" ? <Skeleton shape="numeral" /> : "—";
  return (
    <section aria-labelledby="fund-metrics" className={styles.metrics}>
      <h2 id="fund-metrics">{t("donations.metrics")}</h2>
      <dl>
        <div>
          <dt>{t("donations.distributed")}</dt>
          <dd className="num">{state.data === null ? waiting : formatNumber(state.data.count)}</dd>
        </div>
        <div>
          <dt>{t("donations.disbursed")}</dt>
          <dd className="num">
            {state.data === null ? waiting : formatWholeDollars(state.data.totalCents)}
          </dd>
        </div>
      </dl>
      <p>{t("donations.note")}</p>
    </section>
  );
}

function Rows({ data }: { readonly data: Donations }) {
  const most = Math.max(...data.donations.map((donation) => donation.amountCents));
  const rows = data.donations.map((donation) => ({
    key: `${donation.code}-${donation.title}`,
    lead: <CountryCode code={donation.code} />,
    name: <PaidFor item={donation} name="title" />,
    extra: <ThreadBar threads={donation.amountCents / CENTS_PER_THREAD} threadsMax={most / CENTS_PER_THREAD} />,
    amount: formatWholeDollars(donation.amountCents),
  }));
  const total = { key: "total", name: <b>{t("donations.total", { count: data.count })}</b>, amount: formatWholeDollars(data.totalCents) };
  return <PaidList rows={[...rows, total]} />;
}
