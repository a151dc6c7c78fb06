import { cell, tileFor } from "@/art/tiles";
import { SvgArt } from "@/components/svg-art/svg-art";

/** A person's tile, derived from both names. */
export function Tile({
  name,
  className,
}: {
  readonly name: string;
  readonly className?: string | undefined;
}) {
  return <SvgArt className={className} inner={tileFor(name)} viewBox="0 0 100 100" />;
}

/** A decorative piece of cloth. */
export function ClothPiece({
  columns,
  rows,
  from = 0,
  large,
  className,
}: {
  readonly columns: number;
  readonly rows: number;
  /** First column of the piece. */
  readonly from?: number;
  /** A tile as large as the first two rows and columns, in their place. */
  readonly large?: string;
  readonly className?: string | undefined;
}) {
  const squares = Array.from({ length: columns * rows }, (_, index) => {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    if (large !== undefined && column < 2 && row < 2) return "";
    return `<g transform="translate(${column * 100} ${row * 100})">${cell(column + from, row)}</g>`;
  });
  return (
    <SvgArt
      className={className}
      inner={(large === undefined ? "" : `<g transform="scale(2)">${large}</g>`) + squares.join("")}
      viewBox={`0 0 ${columns * 100} ${rows * 100}`}
    />
  );
}
