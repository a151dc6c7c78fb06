import type { ReactNode } from "react";
import { ButtonLink } from "@/components/button/button";
import { LoadFailure } from "@/components/resource-view/resource-view";
import { Scene } from "@/components/scene/scene";
import openVoteTexts from "@/messages/en/open-vote.json";
import type { OpenVote } from "@/lib/api/calls";
import { useResource } from "@/lib/api/resource";
import { useFirstView } from "@/lib/page/first-view";
import { paths } from "@/lib/page/paths";
import { readVoteStatus } from "@/lib/session/ballot-storage";
import { useSignedIn } from "@/lib/session/session";
import { translator } from "@/lib/text/messages";
import { originalText } from "@/lib/text/written";
import { classNames } from "@/lib/ui/class-names";
import { useOpen } from "./use-closed";
import { useDeadline, withLeft } from "./use-deadline";
import styles from "./vote-strip.module.css";

const t = translator(openVoteTexts);

/** The vote in progress: what it is about, until when, what it still needs. */
export function VoteStrip({ className }: { readonly className?: string }) {
  const [vote] = useOpenVotes();
  return vote === undefined ? null : (
    <Live className={className} key={vote.id} vote={vote} />
  );
}

/**
 * The strip of the home page, which the server writes into the page so that nothing shifts when
 * the counts arrive.
 */
export function FirstVoteStrip() {
  const votes = useResource("/user/get-proposals#open");
  const first = useFirstView(paths.home);
  if (votes.status === "error") return <LoadFailure state={votes} what={t("failed")} />;
  if (votes.data !== null || first === null) return <VoteStrip />;
  return (
    <Strip
      deadline={first.tag}
      go={t("strip.see")}
      needed={first.sample}
      picture={<img alt="" className={styles.scene} height="600" src={first.picture} width="800" />}
      title={first.title}
      to={paths.proposals}
    />
  );
}

/** Votes in progress, for the list of what is coming up. */
export function OpenVoteList() {
  const votes = useOpenVotes();
  return votes.map((vote) => <Live key={vote.id} vote={vote} />);
}

/** The votes that are open now. */
export function useOpenVotes(): readonly OpenVote[] {
  return useOpen(useResource("/user/get-proposals#open").data ?? []);
}

function Live({
  vote,
  className,
}: {
  readonly vote: OpenVote;
  readonly className?: string | undefined;
}) {
  const signedIn = useSignedIn();
  const deadline = useDeadline(vote);
  const voted = signedIn && (Boolean(vote.userVote) || readVoteStatus(vote.id) !== null);
  return (
    <Strip
      className={className}
      deadline={withLeft(t("strip.until", { date: deadline.instant }), deadline)}
      go={t(voted ? "voted.see" : signedIn ? "strip.vote" : "strip.see")}
      needed={neededText(vote.tally)}
      picture={<Scene category={vote.category} className={styles.scene} eager subject={originalText(vote, "title")} />}
      title={vote.title}
      to={paths.proposal(vote.slug)}
    />
  );
}

function neededText({ needed, roll }: OpenVote["tally"]): string {
  if (roll === 0) return t("nobody");
  if (needed === null) return t("figures.at-close");
  return needed === 0 ? "" : t("strip.needed", { needed });
}

function Strip({
  title,
  deadline,
  needed,
  picture,
  go,
  to,
  className,
}: {
  readonly title: string;
  readonly deadline: string;
  readonly needed: string;
  readonly picture: ReactNode;
  readonly go: string;
  readonly to: string;
  readonly className?: string | undefined;
}) {
  return (
    <section
      aria-label={t("strip.label")}
      className={classNames("field-palm on-dark", styles.strip, className)}
    >
      <div className={classNames("wrap", styles.inner)}>
        {picture}
        <div className={styles.words}>
          <p className={styles.title}>{title}</p>
          <p className="muted sm">
            <span className={styles.deadline}>{deadline}</span> <span>{needed}</span>
          </p>
        </div>
        <ButtonLink kind="accent" size="sm" to={to}>
          {go}
        </ButtonLink>
      </div>
    </section>
  );
}
