import { Badge, SampleTag } from "@/components/badge/badge";
import { ButtonAnchor } from "@/components/button/button";
import { Card } from "@/components/card/card";
import { OriginalText } from "@/components/original-text/original-text";
import { PaidList } from "@/components/paid-list/paid-list";
import { Scene } from "@/components/scene/scene";
import catalogueTexts from "@/messages/en/catalogue.json";
import { classNames } from "@/lib/ui/class-names";
import { useSiteConfig } from "@/lib/models/config";
import { formatDollarsOfCents, placeName } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { writtenIn } from "@/lib/text/written";
import { mailPath } from "@/lib/page/paths";
import { useResource } from "@/lib/api/resource";
import type { Category, Grant } from "./api";
import { Listed } from "./listed";
import { PaidFor } from "./paid-for";
import { CountryCode } from "./project-card";
import styles from "./grant-rows.module.css";

const t = translator(catalogueTexts);

const TONES = {
  water: "sea",
  healthcare: "hibiscus",
  education: "indigo",
  business: "marigold",
  agriculture: "palm",
  civic: "clay",
} as const;

const IN_FIRST_VIEW = 2;

/** A category badge. */
export function CategoryBadge({ category }: { readonly category: Category }) {
  return <Badge tone={TONES[category]}>{t(`category.${category}`)}</Badge>;
}

/** The grants, one row each, and a link to suggest another. */
export function GrantRows() {
  const grants = useResource("/grants");
  return (
    <>
      <Listed isEmpty={(all) => all.length === 0} kind="grants" state={grants}>
        {(all) => (
          <PaidList elements={all.map((grant, place) => <GrantRow eager={place < IN_FIRST_VIEW} grant={grant} key={grant.id} />)} />
        )}
      </Listed>
      {grants.status === "loading" ? null : <SuggestProject />}
    </>
  );
}

function GrantRow({ grant, eager }: { readonly grant: Grant; readonly eager: boolean }) {
  return (
    <li className={styles.grant}>
      <div className={styles.picture}>
        <Scene
          category={grant.category}
          eager={eager}
          image={grant.imageUrl}
          subject={grant.project}
        />
      </div>
      <div>
        <p className="muted">{grant.name}</p>
        <h2 className={styles.title}>
          <PaidFor item={grant} name="project" />
        </h2>
        {grant.description ? (
          <p className={styles.text} {...writtenIn(grant, "description")}>{grant.description}</p>
        ) : null}
        <OriginalText item={grant} />
        <p className={classNames("row", styles.tags)}>
          {grant.regionCode ? <CountryCode code={grant.regionCode} /> : null}
          {grant.location ? <span>{placeName(grant.location, grant.regionCode)}</span> : null}
          <CategoryBadge category={grant.category} />
          {grant.sample ? <SampleTag /> : null}
        </p>
      </div>
      <p className={classNames("num", styles.amount)}>{formatDollarsOfCents(grant.amountCents)}</p>
    </li>
  );
}

function SuggestProject() {
  const contact = useSiteConfig().data?.contactEmail ?? null;
  if (contact === null) return null;
  return (
    <Card className={styles.suggest}>
      <div className="row between">
        <div>
          <h2>{t("grants.know")}</h2>
          <p className="muted">{t("grants.know-text")}</p>
        </div>
        <ButtonAnchor href={mailPath(contact)}>{t("grants.contact")}</ButtonAnchor>
      </div>
    </Card>
  );
}
