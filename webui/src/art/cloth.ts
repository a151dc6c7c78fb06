import { C } from "./colours.ts";
import { cell } from "./tiles.ts";

export type ClothOptions = {
  /** Number of woven squares; the rest is bare warp. */
  readonly woven: number;
  readonly columns: number;
  readonly rows: number;
  /** Length of the fringe. */
  readonly fringe?: number;
  /** Content of the next square: a word, a tile, or nothing. */
  readonly next?: { readonly word: string } | { readonly tile: string } | null;
  /** Prefix of SVG ids, unique on a page. */
  readonly id: string;
};

const THREADS = 8;

/** The SVG content of a hanging cloth, and the height of its view box. */
export function clothInner(options: ClothOptions): string {
  const { columns, rows } = options;
  const woven = Math.min(options.woven, columns * rows);
  const fringe = options.fringe ?? 40;
  const cloth = [
    definitions(options.id, woven, columns),
    ...Array.from({ length: columns }, (_, column) => warp(column, woven, columns, rows, fringe)),
    ...weft(options.id, woven, columns),
  ].join("");
  const next =
    options.next == null || woven >= columns * rows ? "" : nextSquare(options.next, woven, columns);
  return `<g>${cloth}</g>${next}`;
}

export function clothViewBox({ columns, rows, fringe = 40 }: Omit<ClothOptions, "id">): string {
  return `0 0 ${columns * 100} ${rows * 100 + fringe + 10}`;
}

// The pattern repeats every ten columns and four rows, so each square is drawn once and used often.
function definitions(id: string, woven: number, columns: number): string {
  const kinds = new Map<string, string>();
  for (let index = 0; index < woven; index += 1) {
    const column = (index % columns) % 10;
    const row = Math.floor(index / columns) % 4;
    const key = `${id}-${column}-${row}`;
    if (!kinds.has(key)) kinds.set(key, `<g id="${key}">${cell(column, row)}</g>`);
  }
  return `<defs>${[...kinds.values()].join("")}</defs>`;
}

function warp(
  column: number,
  woven: number,
  columns: number,
  rows: number,
  fringe: number,
): string {
  const top = Math.max(0, Math.ceil((woven - column) / columns)) * 100;
  return Array.from({ length: THREADS }, (_, thread) => {
    const x = column * 100 + 6 + thread * 12.5;
    const end = rows * 100 + fringe * (0.55 + (((column * THREADS + thread) * 37) % 50) / 100);
    return `<path d="M${x} ${top}V${end}" stroke="${threadColour(thread)}" stroke-width="2.2" opacity="${thread % 2 === 0 ? 0.55 : 0.85}" fill="none"/>`;
  }).join("");
}

function threadColour(thread: number): string {
  if (thread % 4 === 1) return "var(--warp-b)";
  return thread % 4 === 3 ? "var(--warp-c)" : "var(--warp)";
}

/** A square of 100 by 100 with a light edge, which stands out among its neighbours. */
export function framed(square: string): string {
  return `${square}<rect x="4" y="4" width="92" height="92" fill="none" stroke="${C.cotton}" stroke-width="8"/>`;
}

// One group per row, for the weaving animation.
function weft(id: string, woven: number, columns: number): string[] {
  return Array.from({ length: Math.ceil(woven / columns) }, (_, row) => {
    const inRow = Math.min(columns, woven - row * columns);
    const squares = Array.from(
      { length: inRow },
      (_unused, column) =>
        `<use href="#${id}-${column % 10}-${row % 4}" x="${column * 100}" y="${row * 100}"/>`,
    );
    return `<g data-row="${row}">${squares.join("")}</g>`;
  });
}

function nextSquare(
  next: { readonly word: string } | { readonly tile: string },
  woven: number,
  columns: number,
): string {
  const place = `translate(${(woven % columns) * 100} ${Math.floor(woven / columns) * 100})`;
  if ("tile" in next) return `<g transform="${place}"><g data-next="">${next.tile}</g></g>`;
  return (
    `<g transform="${place}"><rect x="3" y="3" width="94" height="94" fill="${C.cotton}"/>` +
    `<rect x="7" y="7" width="86" height="86" fill="none" stroke="${C.ink}" stroke-width="4" stroke-dasharray="10 7"/>` +
    `<text x="50" y="61" text-anchor="middle" font-family="Jara Display" font-weight="800" font-size="32" fill="${C.ink}">${next.word}</text></g>`
  );
}
