import type { ReactNode } from "react";
import { Card } from "@/components/card/card";
import { EmptyState } from "@/components/empty-state/empty-state";
import { OriginalText } from "@/components/original-text/original-text";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import membershipTexts from "@/messages/en/membership.json";
import { formatClock, formatWeekday } from "@/lib/text/format";
import { rich, translator } from "@/lib/text/messages";
import { writtenIn } from "@/lib/text/written";
import type { Answer } from "@/lib/api/calls";
import { useResource } from "@/lib/api/resource";
import { paths } from "@/lib/page/paths";
import { useToday } from "@/lib/ui/use-today";
import { classNames } from "@/lib/ui/class-names";
import styles from "./dashboard.module.css";

const t = translator(membershipTexts);

/**
 * Upcoming events.
 *
 * @param votes the open votes; null if there are none.
 */
export function EventsTab({ votes }: { readonly votes: ReactNode }) {
  return (
    <>
      <h1 className="vh">{t("tab.events")}</h1>
      <div className={styles.votes}>{votes}</div>
      <ResourceView
        skeleton={<Skeleton shape="block" />}
        state={useResource("/events")}
        what={t("events.failed")}
      >
        {(events) =>
          events.length === 0 ? (
            votes === null && <NothingPlanned />
          ) : (
            <ul className={styles.events}>
              {events.map((event) => (
                <li key={event.id}>
                  <EventCard event={event} />
                </li>
              ))}
            </ul>
          )
        }
      </ResourceView>
      <p className={classNames("muted", styles.calendar)}>
        {rich(t("events.calendar"), {
          calendar: (inner) => (
            <a className="link" href={paths.calendar}>
              {inner}
            </a>
          ),
        })}
      </p>
    </>
  );
}

function NothingPlanned() {
  return (
    <Card className={styles.empty}>
      <EmptyState title={t("events.none")}>
        <p className="muted">{t("events.none-text")}</p>
      </EmptyState>
    </Card>
  );
}

function EventCard({ event }: { readonly event: Answer<"/events">[number] }) {
  const today = useToday();
  return (
    <Card label={event.title}>
      <h2 {...writtenIn(event, "title")}>{event.title}</h2>
      <p className="muted">
        {[formatWeekday(event.date, today), event.time ? formatClock(event.time) : null, event.place].filter(Boolean).join(" · ")}
      </p>
      {event.description ? <p {...writtenIn(event, "description")}>{event.description}</p> : null}
      <OriginalText item={event} />
      {event.link ? (
        <a className="link" href={event.link} rel="noopener noreferrer" target="_blank">
          {t("events.more")}
        </a>
      ) : null}
    </Card>
  );
}
