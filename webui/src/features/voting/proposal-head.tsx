import type { ReactNode } from "react";
import { Badge, SampleTag } from "@/components/badge/badge";
import { Scene } from "@/components/scene/scene";
import { Skeleton } from "@/components/skeleton/skeleton";
import { classNames } from "@/lib/ui/class-names";
import { useFirstView } from "@/lib/page/first-view";
import styles from "./proposal-head.module.css";

/** First view of a proposal: end of voting, title and picture. */
export function ProposalHead({
  tags,
  title,
  picture,
}: {
  readonly tags: ReactNode;
  readonly title: ReactNode;
  readonly picture: ReactNode;
}) {
  return (
    <>
      <header className={classNames("wrap", styles.head)}>
        <p className="row">{tags}</p>
        <h1>{title}</h1>
      </header>
      <div className="wrap">{picture}</div>
    </>
  );
}

/** The picture of a proposal. */
export function ProposalPicture({
  title,
  category = "",
  image = null,
}: {
  readonly title: string;
  readonly category?: string;
  readonly image?: string | null;
}) {
  return (
    <Scene category={category} className={styles.scene} eager image={image} subject={title} />
  );
}

/** Placeholder of a proposal with the first view that the server sent. */
export function ProposalWaiting({ path }: { readonly path: string }) {
  const first = useFirstView(path);
  return (
    <div className="waiting">
      <ProposalHead
        picture={
          first === null ? (
            <Skeleton shape="wide" />
          ) : (
            <ProposalPicture image={first.picture} title={first.title} />
          )
        }
        tags={
          <>
            <Badge tone="hibiscus" wraps>
              {first?.tag ?? <Skeleton shape="words" />}
            </Badge>
            <SampleTag>{first?.sample}</SampleTag>
          </>
        }
        title={first?.title ?? <Skeleton shape="title" />}
      />
      <div className={classNames("wrap halves halves-side", styles.body)}>
        <Skeleton shape="block" />
        <aside>
          <Skeleton shape="block" />
        </aside>
      </div>
    </div>
  );
}
