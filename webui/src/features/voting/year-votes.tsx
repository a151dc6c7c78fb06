import { useState } from "react";
import { Link } from "react-router-dom";
import { Checkbox } from "@/components/field/checkbox";
import { ResourceView } from "@/components/resource-view/resource-view";
import type { Proposal } from "./api";
import { storedChoice } from "./stored-ballot";
import { useResource } from "@/lib/api/resource";
import { paths } from "@/lib/page/paths";
import { formatNumber } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { classNames } from "@/lib/ui/class-names";
import yearTexts from "@/messages/en/year.json";
import styles from "./year-votes.module.css";

const t = translator(yearTexts);

/**
 * The votes that ended in a year while the member was one, and what they did.
 *
 * Nobody can ask the server how somebody voted: their choice comes from the receipts on this device.
 * That a ballot was cast is what the record says after the close, to its member alone.
 */
export function YearVotes({ year, since }: { readonly year: string; readonly since: string }) {
  return (
    <ResourceView skeleton={null} state={useResource("/user/get-proposals")} what={t("votes.failed-to-load")}>
      {(proposals) => <Decided proposals={proposals} since={since} year={year} />}
    </ResourceView>
  );
}

function Decided({
  proposals,
  year,
  since,
}: {
  readonly proposals: readonly Proposal[];
  readonly year: string;
  readonly since: string;
}) {
  const [isHidden, setHidden] = useState(false);
  const decided = proposals.filter(({ decidedAt, result }) => {
    const day = (decidedAt ?? "").slice(0, 10);
    return Boolean(result) && day.startsWith(year) && day >= since;
  });
  return (
    <section aria-labelledby="votes" className={classNames(styles.votes, isHidden && "no-print")}>
      <h2 id="votes">{t("votes", { year })}</h2>
      {decided.length === 0 ? <p className="muted">{t("votes.none", { year })}</p> : null}
      <ul>
        {decided.map((one) => (
          <li key={one.id}>
            <p>
              <Link className="link" to={paths.proposal(one.slug)}>{one.title}</Link>
              <span>
                {t(one.result === "passed" ? "votes.passed" : "votes.failed")},{" "}
                {t("votes.tally", { yes: formatNumber(one.tally.yes ?? 0), no: formatNumber(one.tally.no ?? 0) })}
              </span>
            </p>
            <b>{ownPart(one)}</b>
          </li>
        ))}
      </ul>
      {decided.length === 0 ? null : (
        <div className={classNames("no-print", styles.why)}>
          <p className="sm muted">{t("votes.why")}</p>
          <Checkbox checked={isHidden} onChange={(event) => setHidden(event.target.checked)}>
            {t("votes.hide")}
          </Checkbox>
        </div>
      )}
    </section>
  );
}

function ownPart({ id, userVote }: Proposal): string {
  const choice = storedChoice(id);
  if (choice !== null) return t(`votes.${choice}`);
  return t(userVote ? "votes.cast" : "votes.not");
}
