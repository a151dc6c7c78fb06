import type { ReactNode } from "react";
import { Badge, SampleText } from "@/components/badge/badge";
import { Scene } from "@/components/scene/scene";
import { Skeleton } from "@/components/skeleton/skeleton";
import { classNames } from "@/lib/ui/class-names";
import type { FirstView } from "@/lib/api/calls";

import styles from "./proposal-head.module.css";

/**
 * The title of a proposal above its parts. It is the largest text of the first view and stays
 * mounted while the parts load: a browser would count a new title as painted late.
 */
export function ProposalFrame({
  title,
  written,
  isWaiting,
  children,
}: {
  readonly title: ReactNode;
  /** The language of the title, if it is known and not the page's. */
  readonly written?: { readonly lang?: string };
  /** Whether the parts are still placeholders. */
  readonly isWaiting: boolean;
  readonly children: ReactNode;
}) {
  return (
    <article className={classNames("wrap", isWaiting && "waiting", styles.frame)}>
      <h1 {...written}>{title}</h1>
      {children}
    </article>
  );
}

/** The parts of a proposal: what one needs to vote is in the first view, beside the picture. */
export function ProposalParts({
  tags,
  picture,
  card,
  children,
}: {
  readonly tags: ReactNode;
  readonly picture: ReactNode;
  readonly card: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <>
      <p className={classNames("row", styles.tags)}>{tags}</p>
      <aside className={styles.side}>
        <div className="sticky">{card}</div>
      </aside>
      <div className={styles.picture}>{picture}</div>
      <div className={styles.body}>{children}</div>
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

/** Placeholder of the parts, with what the server sent of them. */
export function PartsWaiting({ first }: { readonly first: FirstView | null }) {
  return (
    <ProposalParts
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
          <SampleText>{first?.sample}</SampleText>
        </>
      }
    >
      <Skeleton shape="block" />
    </ProposalParts>
  );
}
