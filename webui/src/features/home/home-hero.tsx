import { Link } from "react-router-dom";
import type { Statistics } from "@/api/schema";
import { Badge, Pulse, SampleText } from "@/components/badge/badge";
import { ButtonLink } from "@/components/button/button";
import { Skeleton } from "@/components/skeleton/skeleton";
import homeTexts from "@/messages/en/home.json";
import { classNames } from "@/lib/ui/class-names";
import { translator } from "@/lib/text/messages";
import { useAllSample } from "@/lib/models/all-sample";
import { paths } from "@/lib/page/paths";
import { useResource, type LoadedResource } from "@/lib/api/resource";
import { useSignedIn } from "@/lib/session/session";
import { HeroCloth } from "./hero-cloth";
import { heroOf, UNKNOWN } from "./hero-texts";
import styles from "./home-hero.module.css";

const t = translator(homeTexts);

/** The headline, the number of changemakers and their cloth. */
export function HomeHero({ stats }: { readonly stats: LoadedResource<Statistics> }) {
  const signedIn = useSignedIn();
  const sent = useResource("/#hero", false).data;
  const known = stats.data === null ? sent : heroOf(stats.data);
  const allSample = useAllSample();
  const shown = known ?? (stats.status === "error" ? UNKNOWN : null);
  return (
    <section className={classNames("field-hero", styles.hero)}>
      <div className={classNames("wrap", styles.inner)}>
        <div className={styles.text}>
          <p className={styles.badges}>
            <Badge tone="cotton">
              <Pulse />
              {shown === null ? <Skeleton shape="count" /> : null}
              {shown?.badge ?? t("hero.badge-unknown")}
            </Badge>
          </p>
          <h1>{shown === null ? <TitleSkeleton /> : <span lang={shown.lang}>{shown.headline}</span>}</h1>
          {/* Beside the headline that it is about, and not beside the live count. */}
          <p className={styles.mark}>
            <SampleText>{allSample ? t("hero.sample") : (sent ?? shown)?.mark}</SampleText>
          </p>
          <p className={styles.live}>{shown === null ? "\u00a0" : shown.live}</p>
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

function TitleSkeleton() {
  return (
    <>
      <Skeleton shape="title" />
      <Skeleton shape="title" />
    </>
  );
}
