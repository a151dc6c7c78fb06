import { cell, ownTiles } from "./tiles.ts";

const SIDE = 100;
const COLUMNS = 12;
const ROWS = 4;
// Three squares wide, between whole columns.
const LARGE = 3;
const LEFT = 4;

/** A cloth with a slot for one large square, and all squares: the preview image of a shared one. */
export function sharedSquare() {
  const cells = Array.from({ length: COLUMNS * ROWS }, (_, index) => {
    const [column, row] = [index % COLUMNS, Math.floor(index / COLUMNS)];
    return `<g transform="translate(${column * SIDE} ${row * SIDE})">${cell(column, row)}</g>`;
  });
  const edge = 8;
  const frame = `<rect x="${LEFT * SIDE - edge}" y="${25 - edge}" width="${LARGE * SIDE + 2 * edge}" height="${LARGE * SIDE + 2 * edge}" fill="#fffdf8"/>`;
  const own = `<svg x="${LEFT * SIDE}" y="25" width="${LARGE * SIDE}" height="${LARGE * SIDE}" viewBox="0 0 100 100">{{square}}</svg>`;
  return {
    cloth: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 350" width="1200" height="350">${cells.join("")}${frame}${own}</svg>`,
    squares: ownTiles(),
  };
}
