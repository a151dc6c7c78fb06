import type { ReactNode } from "react";
import { Badge, SampleTag } from "@/components/badge/badge";
import { Scene } from "@/components/scene/scene";
import { Skeleton } from "@/components/skeleton/skeleton";
import { classNames } from "@/lib/ui/class-names";
import { useFirstView } from "@/lib/page/first-view";
import { asWritten } from "@/lib/text/messages";
import styles from "./proposal-head.module.css";

/** The layout of a proposal: what one needs to vote is in the first view, beside the picture. */
export function ProposalFrame({
  tags,
  title,
  picture,
  card,
  children,
}: {
  readonly tags: ReactNode;
  readonly title: ReactNode;
  readonly picture: ReactNode;
  readonly card: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className={classNames("wrap", styles.frame)}>
      <header className={styles.head}>
        <p className="row">{tags}</p>
        <h1 {...asWritten}>{title}</h1>
      </header>
      <aside className={styles.side}>
        <div className="sticky">{card}</div>
      </aside>
      <div className={styles.picture}>{picture}</div>
      <div className={styles.body}>{children}</div>
    </div>
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
      <ProposalFrame
        card={<Skeleton shape="block" />}
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
      >
        <Skeleton shape="block" />
      </ProposalFrame>
    </div>
  );
}
