import { cell, ownTiles } from "./tiles.ts";

const SIDE = 100;
const COLUMNS = 5;
const ROWS = 5;
// Three squares wide, in the middle.
const LARGE = 3;
const START = 1;

/** A cloth with a slot for one large square, and all squares: the preview image of a shared one. */
export function sharedSquare() {
  const cells = Array.from({ length: COLUMNS * ROWS }, (_, index) => {
    const [column, row] = [index % COLUMNS, Math.floor(index / COLUMNS)];
    return `<g transform="translate(${column * SIDE} ${row * SIDE})">${cell(column, row)}</g>`;
  });
  const [start, side, edge] = [START * SIDE, LARGE * SIDE, 8];
  const frame = `<rect x="${start - edge}" y="${start - edge}" width="${side + 2 * edge}" height="${side + 2 * edge}" fill="#fffdf8"/>`;
  const own = `<svg x="${start}" y="${start}" width="${side}" height="${side}" viewBox="0 0 100 100">{{square}}</svg>`;
  return {
    cloth: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 500" width="500" height="500">${cells.join("")}${frame}${own}</svg>`,
    squares: ownTiles(),
  };
}
