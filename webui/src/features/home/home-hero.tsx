import { Link } from "react-router-dom";
import { Badge, Pulse, SampleTag } from "@/components/badge/badge";
import { ButtonLink } from "@/components/button/button";
import { Skeleton } from "@/components/skeleton/skeleton";
import commonTexts from "@/messages/en/common.json";
import homeTexts from "@/messages/en/home.json";
import { classNames } from "@/lib/ui/class-names";
import { formatWholeDollars } from "@/lib/text/format";
import { asWritten, translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { useResource, type LoadedResource } from "@/lib/api/resource";
import { useSignedIn } from "@/lib/session/session";
import { claimsAtBuild, type Claim, type Stats } from "@/lib/models/stats";
import { HeroCloth } from "./hero-cloth";
import styles from "./home-hero.module.css";

const t = translator(homeTexts);
const common = translator(commonTexts);

/** The headline, the number of changemakers and their cloth. */
export function HomeHero({ stats }: { readonly stats: LoadedResource<Stats> }) {
  const signedIn = useSignedIn();
  const known = useResource(claimsAtBuild, false).data;
  const claims = stats.data?.claims ?? (stats.status === "loading" ? (known ?? []) : []);
  return (
    <section className={classNames("field-hero", styles.hero)}>
      <div className={classNames("wrap", styles.inner)}>
        <div className={styles.text}>
          <p className={styles.badges}>
            <Badge tone="cotton">
              <Pulse />
              <ChangemakerCount stats={stats} />
            </Badge>
          </p>
          <h1>
            <Headline claims={claims} stats={stats} />
          </h1>
          {/* Beside the headline that it is about, and not beside the live count. */}
          {claims.some((claim) => claim.sample) ? (
            <p className={styles.sample}>
              <SampleTag>{common("sample")}</SampleTag>
            </p>
          ) : null}
          {isLive(claims, stats.data) ? null : (
            <p className={styles.live}>
              {stats.data === null ? "\u00a0" : t("hero.live", liveFigures(stats.data))}
            </p>
          )}
          <p className="lead">{t("hero.lead")}</p>
          <div className={classNames("row", styles.actions)}>
            <ButtonLink arrow kind="ink" size="lg" to={signedIn ? paths.dashboard : paths.join}>
              {signedIn ? t("hero.dashboard") : t("hero.join")}
            </ButtonLink>
            <Link className={classNames("link", styles.learn)} to={paths.how}>
              {t("hero.learn")}
            </Link>
          </div>
        </div>
        <HeroCloth />
      </div>
    </section>
  );
}

/** What the books say, in one sentence. */
function liveFigures({ cashDeployedCents, donations, changemakers }: Stats) {
  return { amount: formatWholeDollars(cashDeployedCents), donations, people: changemakers };
}

function ChangemakerCount({ stats }: { readonly stats: LoadedResource<Stats> }) {
  if (stats.data !== null) return t("hero.badge", { count: stats.data.changemakers });
  return (
    <>
      {stats.status === "loading" ? <Skeleton shape="count" /> : null}
      {t("hero.badge-unknown")}
    </>
  );
}

/** Whether the headline says what the books say: the operator wrote none, and money was paid. */
function isLive(claims: readonly Claim[], stats: Stats | null): stats is Stats {
  return claims.length === 0 && stats !== null && stats.cashDeployedCents > 0;
}

/** "$1457 disbursed. 4 lives impacted.": the figures are shown exactly as the operator wrote them. */
function Headline({
  claims,
  stats,
}: {
  readonly claims: readonly Claim[];
  readonly stats: LoadedResource<Stats>;
}) {
  if (stats.status === "loading" && claims.length === 0) {
    return (
      <>
        <Skeleton shape="title" />
        <Skeleton shape="title" />
      </>
    );
  }
  if (isLive(claims, stats.data)) return t("hero.headline", liveFigures(stats.data));
  if (claims.length === 0) return `${t("meta.title")}.`;
  return claims.map((claim) => <span {...asWritten} key={claim.label}>{`${claim.figure} ${claim.label}. `}</span>);
}
