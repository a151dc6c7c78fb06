import { StatusDot } from "@/components/badge/badge";
import { Card } from "@/components/card/card";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import membershipTexts from "@/messages/en/membership.json";
import { translator } from "@/lib/text/messages";
import { writtenIn } from "@/lib/text/written";
import type { Answer } from "@/lib/api/calls";
import { useResource } from "@/lib/api/resource";
import styles from "./dashboard.module.css";

const t = translator(membershipTexts);

const LEVELS = { Active: "full", Partial: "half", "Not yet": "none" } as const satisfies Record<
  Answer<"/regions">[number]["status"],
  string
>;

// The regions of the sample content; an organisation's own names stay as they were written.
const NAMES = new Map(
  Object.entries({
    Africa: t("region-name.africa"),
    Diaspora: t("region-name.diaspora"),
    Caribbean: t("region-name.caribbean"),
    Europe: t("region-name.europe"),
    "North America": t("region-name.north-america"),
    "Latin America": t("region-name.latin-america"),
  }),
);

/** Where the organisation works. */
export function RegionList() {
  return (
    <Card className={styles.box} label={t("regions")}>
      <h2 className={styles.title}>{t("regions")}</h2>
      <ResourceView
        skeleton={<Skeleton shape="block" />}
        state={useResource("/regions")}
        what={t("regions.failed")}
      >
        {(regions) =>
          regions.length === 0 ? (
            <p className="muted">{t("regions.none")}</p>
          ) : (
            <ul>
              {regions.map((region) => (
                <li className="kv" key={region.id}>
                  <RegionName region={region} />
                  <StatusDot level={LEVELS[region.status]}>{t(`region.${region.status}`)}</StatusDot>
                </li>
              ))}
            </ul>
          )
        }
      </ResourceView>
    </Card>
  );
}

function RegionName({ region }: { readonly region: Answer<"/regions">[number] }) {
  const known = NAMES.get(region.name);
  if (known !== undefined) return <span>{known}</span>;
  return <span {...writtenIn(region, "name")}>{region.name}</span>;
}
