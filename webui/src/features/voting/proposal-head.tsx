import type { ReactNode } from "react";
import { Badge, SampleTag } from "@/components/badge/badge";
import { Scene } from "@/components/scene/scene";
import { Skeleton } from "@/components/skeleton/skeleton";
import { classNames } from "@/lib/ui/class-names";
import { useFirstView } from "@/lib/page/first-view";
import styles from "./proposal-head.module.css";

/** What is seen first of a proposal: until when one may vote, its title and its picture. */
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

/** The picture of a proposal, in its place. */
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

/** The place of a proposal, with what the server knew of it when it sent the page. */
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
