import { useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import { Selvedge } from "@/components/band/band";
import { ButtonLink } from "@/components/button/button";
import { Cloth } from "@/components/cloth/cloth";
import { SiteLogo } from "@/components/site-logo/site-logo";
import commonTexts from "@/messages/en/common.json";
import paymentTexts from "@/messages/en/joining-payment.json";
import { framed } from "@/art/cloth";
import { tileCode } from "@/art/tiles";
import type { OpenVote } from "@/lib/api/calls";
import { useResource } from "@/lib/api/resource";
import { fullName, ownTile } from "@/lib/member/own-tile";
import { wordsOfRule } from "@/lib/models/vote-rule";
import { paths } from "@/lib/page/paths";
import { formatDate } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { useToday } from "@/lib/ui/use-today";
import type { Accepted } from "./use-join-payment";
import { useRedirect } from "./use-redirect";
import styles from "./woven-in.module.css";

const t = translator(paymentTexts);
const common = translator(commonTexts);

// Large squares: the last rows of the cloth, with the own one in the last of them.
const COLUMNS = 6;
const ROWS_BEFORE = 5;

export type Joined = Accepted & {
  readonly person: { readonly firstname: string; readonly lastname: string };
  /** The day of the first charge; null when it is paid. */
  readonly laterOn: string | null;
};

/** After paying: the new member's square joins the cloth, and leads to what they can do first. */
export function WovenIn({
  person,
  laterOn,
  isUnderway,
  isCounted,
  vote,
}: Joined & {
  /** The vote in progress. */
  readonly vote: OpenVote | null;
}) {
  const told = useResource("/stats").data?.changemakers ?? null;
  const isPaid = laterOn === null && !isUnderway;
  const count = isPaid && isCounted ? told : null;
  const open = count === null ? null : vote;
  const today = useToday();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={`field-hero ${styles.screen}`}>
      <div className={styles.edge}>
        <Selvedge />
      </div>
      <div className={styles.logo}>
        <SiteLogo label={common("nav.home")} on="marigold" />
      </div>
      <OwnCloth before={placeOf(count, told)} isWoven={isPaid} person={person} />
      <div className={styles.words}>
        <h1 ref={heading} tabIndex={-1}>
          {laterOn === null
            ? isUnderway
              ? t("woven.underway")
              : sentence(count, open)
            : t("woven.later", { date: formatDate(laterOn, today) })}
        </h1>
        <p className="lead">{isUnderway ? t("success.pending") : note(open)}</p>
        <Ways isUnderway={isUnderway} person={person} vote={open} />
        <Soon />
      </div>
    </div>
  );
}

function sentence(count: number | null, vote: OpenVote | null): string {
  if (count === null) return t("woven.unknown");
  if (vote === null) return t("woven.next", { count });
  const { title, tally } = vote;
  const needed = tally.needed ?? 0;
  return t(needed === 0 ? "woven.enough" : "woven.vote", { count, title, needed });
}

function note(vote: OpenVote | null): string {
  if (vote === null) return t("success.text");
  return wordsOfRule(vote.tally.rule).sentence;
}

/** How many squares are drawn before the own one; of a large cloth only the last rows. */
function placeOf(count: number | null, told: number | null): number {
  const before = count === null ? (told ?? COLUMNS * ROWS_BEFORE) : count - 1;
  const rows = Math.min(Math.floor(before / COLUMNS), ROWS_BEFORE);
  return rows * COLUMNS + (before % COLUMNS);
}

function OwnCloth({
  before,
  isWoven,
  person,
}: {
  readonly before: number;
  /** Whether the square falls into its place; else it waits beside it. */
  readonly isWoven: boolean;
  readonly person: Joined["person"];
}) {
  return (
    <div aria-hidden="true" className={isWoven ? styles.cloth : `${styles.cloth} ${styles.waits}`}>
      <Cloth
        columns={COLUMNS}
        fringe={90}
        id="woven"
        nextTile={framed(ownTile(person))}
        rows={Math.floor(before / COLUMNS) + 1}
        woven={before}
      />
    </div>
  );
}

/** One filled button that leads on, and a link beside it. */
function Ways({
  vote,
  isUnderway,
  person,
}: {
  readonly vote: OpenVote | null;
  readonly isUnderway: boolean;
  readonly person: Joined["person"];
}) {
  const share = `${paths.share}?square=${tileCode(fullName(person))}`;
  if (isUnderway) return null;
  return (
    <div className={styles.ways}>
      <ButtonLink arrow kind="ink" size="lg" to={vote === null ? share : paths.proposal(vote.slug)}>
        {t(vote === null ? "woven.share" : "woven.cast")}
      </ButtonLink>
      {vote === null ? null : (
        <Link className={`link ${styles.link}`} to={share}>
          {t("woven.share")}
        </Link>
      )}
    </div>
  );
}

/** The way to the dashboard, which opens by itself for whoever touches nothing. */
function Soon() {
  const isComing = useRedirect();
  return (
    <p className={styles.soon}>
      <Link className={`link ${styles.link}`} to={paths.dashboard}>
        {t("success.go")}
      </Link>
      {/* It keeps its room, so that nothing moves under the finger. */}
      <span className={isComing ? undefined : styles.gone}>{t("success.soon")}</span>
    </p>
  );
}
