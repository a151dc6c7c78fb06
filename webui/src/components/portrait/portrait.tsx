import { useState } from "react";
import { Tile } from "@/components/tile/tile";
import { artPath, isDrawn } from "@/lib/page/paths";
import { classNames } from "@/lib/ui/class-names";
import styles from "./portrait.module.css";

const DRAWN = 8;

/**
 * The picture of a person: their photo, or their tile. Only invented people (sample content)
 * get a drawn face, by position.
 */
export function Portrait({
  name,
  image,
  drawn,
  eager = false,
  className,
}: {
  readonly name: string;
  readonly image: string | null | undefined;
  /** Position of an invented person, from 0; null for real people. */
  readonly drawn: number | null;
  /** Loads eagerly: the picture is in the first view. */
  readonly eager?: boolean;
  readonly className?: string | undefined;
}) {
  const [failed, setFailed] = useState(false);
  const source = image && !failed ? image : drawnSource(drawn);
  const isPhoto = source !== null && !isDrawn(source);
  return (
    <div className={classNames(styles.frame, className)}>
      {source === null ? (
        <Tile name={name} />
      ) : (
        <>
          <img
            alt=""
            height="440"
            loading={eager ? "eager" : "lazy"}
            onError={source === image ? () => setFailed(true) : undefined}
            src={source}
            width="400"
          />
          {/* Tells people apart who share a drawing. */}
          {isPhoto || drawn === null ? null : <Tile className={styles.dot} name={name} />}
        </>
      )}
    </div>
  );
}

function drawnSource(place: number | null): string | null {
  return place === null ? null : artPath(`person-${(place % DRAWN) + 1}`);
}
