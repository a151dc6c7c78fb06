import { useMemo } from "react";
import { clothInner, clothViewBox, type ClothOptions } from "@/art/cloth";
import { SvgArt } from "@/components/svg-art/svg-art";
import { classNames } from "@/lib/ui/class-names";
import styles from "./cloth.module.css";

type ClothProps = Omit<ClothOptions, "next"> & {
  readonly label?: string | undefined;
  readonly nextWord?: string | undefined;
  readonly nextTile?: string | undefined;
  /** Animates the rows once. */
  readonly weaveIn?: boolean;
  readonly className?: string | undefined;
};

/** A cloth of squares, each of which stands for people. */
export function Cloth({ woven, columns, rows, fringe, id, ...props }: ClothProps) {
  const { label, nextWord, nextTile, weaveIn = false, className } = props;
  const inner = useMemo(() => {
    const next = nextOf(nextWord, nextTile);
    return clothInner({
      woven,
      columns,
      rows,
      id,
      next,
      ...(fringe === undefined ? {} : { fringe }),
    });
  }, [woven, columns, rows, fringe, id, nextWord, nextTile]);
  return (
    <SvgArt
      className={classNames(className, weaveIn && styles.weave)}
      inner={inner}
      label={label}
      viewBox={clothViewBox({ woven, columns, rows, ...(fringe === undefined ? {} : { fringe }) })}
    />
  );
}

function nextOf(
  word: string | undefined,
  tile: string | undefined,
): NonNullable<ClothOptions["next"]> | null {
  if (tile !== undefined) return { tile };
  return word === undefined ? null : { word };
}
