import { Link } from "react-router-dom";
import { Card } from "@/components/card/card";
import ownVotesTexts from "@/messages/en/own-votes.json";
import { useResource } from "@/lib/api/resource";
import { useMemberArea } from "@/lib/member/member-context";
import { useSiteConfig } from "@/lib/models/config";
import { mailPath, paths } from "@/lib/page/paths";
import { translator } from "@/lib/text/messages";
import type { Proposal } from "./api";
import styles from "./own-votes.module.css";

const t = translator(ownVotesTexts);
const SHOWN_MAX = 4;

/**
 * Whether a ballot of the member's was cast in each decided vote.
 *
 * With the email at the end of a vote this is how a ballot cast by somebody else is noticed, so
 * it is shown for votes without a ballot too.
 */
export function OwnVotes() {
  const { member } = useMemberArea();
  const contact = useSiteConfig().data?.contactEmail ?? null;
  // The strip above says it if they did not load.
  const proposals: readonly Proposal[] | null = useResource("/user/get-proposals").data;
  if (proposals === null) return null;
  const decided = proposals.filter((one) => isDecidedSince(one, member.memberSince));
  if (decided.length === 0) return null;
  return (
    <Card label={t("own.title")}>
      <h2 className={styles.title}>{t("own.title")}</h2>
      <ul className={styles.list}>
        {decided.slice(0, SHOWN_MAX).map((one) => (
          <li key={one.id}>
            <Link to={paths.proposal(one.slug)}>{one.title}</Link>
            <p className="muted">
              {t(one.userVote ? "own.counted" : "own.none")}
              {one.userVote || contact === null ? null : (
                <>
                  {" "}
                  <a className="link" href={mailPath(contact)}>
                    {t("own.wrong")}
                  </a>
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function isDecidedSince({ decidedAt, result }: Proposal, day: string): boolean {
  return Boolean(result) && (decidedAt ?? "").slice(0, 10) >= day;
}
