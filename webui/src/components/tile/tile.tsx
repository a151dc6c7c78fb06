import { cell, tileFor } from "@/art/tiles";
import { SvgArt } from "@/components/svg-art/svg-art";

/** A person's tile, derived from the name. */
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
  className,
}: {
  readonly columns: number;
  readonly rows: number;
  /** First column of the piece. */
  readonly from?: number;
  readonly className?: string | undefined;
}) {
  const squares = Array.from({ length: columns * rows }, (_, index) => {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    return `<g transform="translate(${column * 100} ${row * 100})">${cell(column + from, row)}</g>`;
  });
  return (
    <SvgArt
      className={className}
      inner={squares.join("")}
      viewBox={`0 0 ${columns * 100} ${rows * 100}`}
    />
  );
}
