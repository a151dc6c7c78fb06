import { Link } from "react-router-dom";
import { SampleTag } from "@/components/badge/badge";
import { EmptyState } from "@/components/empty-state/empty-state";
import { Icon } from "@/components/icon/icon";
import { OriginalText } from "@/components/original-text/original-text";
import { Portrait } from "@/components/portrait/portrait";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import catalogueTexts from "@/messages/en/catalogue.json";
import { classNames } from "@/lib/ui/class-names";
import { translator } from "@/lib/text/messages";
import { writtenIn } from "@/lib/text/written";
import { useAllSample } from "@/lib/models/all-sample";
import { paths } from "@/lib/page/paths";
import { useResource } from "@/lib/api/resource";
import { useNearViewport } from "@/lib/ui/use-near-viewport";
import type { TeamMember } from "./api";
import styles from "./team-list.module.css";

const t = translator(catalogueTexts);
const IN_STRIP = 4;

/** The two groups of the team page. */
export function TeamGroups() {
  const team = useResource("/team");
  return (
    <ResourceView skeleton={<div className="awaited"><TeamSkeleton /></div>} state={team} what={t("team.failed")}>
      {(people) =>
        people.length === 0 ? (
          <EmptyState title={t("team.empty")}>
            <p className="muted">{t("team.empty-text")}</p>
          </EmptyState>
        ) : (
          <>
            <TeamGroup group="trustees" people={people} />
            <TeamGroup group="operations" people={people} />
          </>
        )
      }
    </ResourceView>
  );
}

/** The first people of the team, for the home page. */
export function TeamStrip() {
  const [ref, near] = useNearViewport<HTMLElement>();
  const team = useResource("/team", near);
  const allSample = useAllSample();
  if (team.data?.length === 0) return null;
  return (
    <section
      aria-labelledby="team-title"
      className={classNames("below section", styles.strip, !near && styles.far)}
      ref={ref}
    >
      <div className="wrap">
        <div className={classNames("row", "between", styles.head)}>
          <h2 id="team-title">{t("team.strip-title")}</h2>
          <Link className="link" to={paths.team}>
            {t("team.title")}
          </Link>
        </div>
        <ResourceView skeleton={<TeamSkeleton />} state={team} what={t("team.failed")}>
          {(people) => (
            <ul className={styles.team}>
              {people.slice(0, IN_STRIP).map((person, place) => (
                <Member key={person.id} person={person} place={place} tagged={!allSample} />
              ))}
            </ul>
          )}
        </ResourceView>
      </div>
    </section>
  );
}

function TeamGroup({
  group,
  people,
}: {
  readonly group: TeamMember["group"];
  readonly people: readonly TeamMember[];
}) {
  const members = people.filter((person) => person.group === group);
  if (members.length === 0) return null;
  return (
    <section aria-labelledby={`team-${group}`} className={styles.group}>
      <h2 id={`team-${group}`}>{t(`team.${group}`)}</h2>
      <ul className={styles.team}>
        {members.map((person) => {
          const place = people.indexOf(person);
          return <Member eager={place < IN_STRIP} key={person.id} person={person} place={place} />;
        })}
      </ul>
    </section>
  );
}

function Member({
  person,
  place,
  eager = false,
  tagged = true,
}: {
  readonly person: TeamMember;
  readonly place: number;
  /** Loads pictures eagerly: the people are in the first view. */
  readonly eager?: boolean;
  /** Whether a sample has its mark; not where the page says that all of it is. */
  readonly tagged?: boolean;
}) {
  return (
    <li className={styles.member}>
      <Portrait
        drawn={person.sample ? place : null}
        eager={eager}
        image={person.image}
        name={person.name}
      />
      <h3>{person.name}</h3>
      <p {...writtenIn(person, "role")}>{person.role}</p>
      <OriginalText item={person} />
      <span className={styles.links}>
        {person.linkedinUrl ? (
          <a className="link" href={person.linkedinUrl} rel="noopener noreferrer" target="_blank">
            {t("team.linkedin")} <Icon name="external" />
            <span className="vh"> {t("team.profile-of", { name: person.name })}</span>
          </a>
        ) : null}
        {person.sample && tagged ? <SampleTag /> : null}
      </span>
    </li>
  );
}

function TeamSkeleton() {
  return (
    <div className={styles.team}>
      {Array.from({ length: IN_STRIP }, (_, place) => (
        <div key={place}>
          <Skeleton shape="picture" />
          <Skeleton />
        </div>
      ))}
    </div>
  );
}
