import { cell, tileFor } from "@/art/tiles";
import { SvgArt } from "@/components/svg-art/svg-art";

/** A person's own square: the same name always has the same one. */
export function Tile({
  name,
  className,
}: {
  readonly name: string;
  readonly className?: string | undefined;
}) {
  return <SvgArt className={className} inner={tileFor(name)} viewBox="0 0 100 100" />;
}

/** A piece cut from the cloth, as decoration. */
export function ClothPiece({
  columns,
  rows,
  from = 0,
  className,
}: {
  readonly columns: number;
  readonly rows: number;
  /** The column of the cloth where the piece begins. */
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
