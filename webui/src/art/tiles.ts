import { C } from "./colours.ts";
import { O, P, R } from "./shapes.ts";

/** Ground, figure, second figure, accent; not every motif has an accent. */
export type Palette = readonly [string, string, string, string?];
type FullPalette = readonly [string, string, string, string];

/** The twelve motifs of the tiles. */
export const TILES: readonly ((palette: FullPalette) => string)[] = [
  ([a, b, c, d]: FullPalette) =>
    R(-0.6, -0.6, 101.2, 101.2, a) +
    P("M0 0H100A100 100 0 0 1 0 100Z", b) +
    P("M0 0H66A66 66 0 0 1 0 66Z", c) +
    P("M0 0H32A32 32 0 0 1 0 32Z", d),
  ([a, b, c]: FullPalette) =>
    R(-0.6, -0.6, 101.2, 101.2, a) +
    P("M0 100V75H25V50H50V25H75V0H100V100Z", b) +
    P("M25 100V87.5H50V75H62.5V50H87.5V25H100V100Z", c),
  ([a, b, c, d]: FullPalette) =>
    R(-0.6, -0.6, 101.2, 101.2, a) +
    R(0, 0, 20, 100, b) +
    R(80, 0, 20, 100, b) +
    R(40, 0, 20, 100, c) +
    R(20, 36, 60, 28, b) +
    R(40, 36, 20, 28, d),
  ([a, b, c]: FullPalette) =>
    R(-0.6, -0.6, 101.2, 101.2, a) +
    P("M0 0L50 50L0 100Z", b) +
    P("M100 0L50 50L100 100Z", b) +
    P("M50 30L70 50L50 70L30 50Z", c),
  ([a, b, c]: FullPalette) =>
    R(-0.6, -0.6, 101.2, 101.2, a) +
    P("M0 50A50 50 0 0 1 100 50Z", b) +
    P("M0 100A50 50 0 0 1 100 100Z", c),
  ([a, b, c]: FullPalette) =>
    R(-0.6, -0.6, 101.2, 101.2, a) +
    P("M0 0L50 34L100 0V22L50 56L0 22Z", b) +
    P("M0 44L50 78L100 44V66L50 100L0 66Z", c),
  ([a, b, c]: FullPalette) =>
    R(-0.6, -0.6, 101.2, 101.2, a) +
    [
      [0, 0],
      [50, 50],
    ]
      .map(
        ([x, y]) =>
          `<g transform="translate(${x} ${y})">${P("M0 0A50 50 0 0 1 50 50A50 50 0 0 1 0 0Z", b)}</g>`,
      )
      .join("") +
    [
      [50, 0],
      [0, 50],
    ]
      .map(
        ([x, y]) =>
          `<g transform="translate(${x} ${y})">${P("M50 0A50 50 0 0 1 0 50A50 50 0 0 1 50 0Z", c)}</g>`,
      )
      .join(""),
  ([a, b, c]: FullPalette) =>
    R(-0.6, -0.6, 101.2, 101.2, a) +
    [17, 50, 83]
      .flatMap((x, i) =>
        [17, 50, 83].map((y, j) => O(x, y, (i + j) % 2 ? 7 : 13, (i + j) % 2 ? c : b)),
      )
      .join(""),
  ([a, b, c]: FullPalette) =>
    R(-0.6, -0.6, 101.2, 101.2, a) +
    [0, 1, 2, 3]
      .flatMap((i) =>
        [0, 1, 2, 3].map((j) =>
          (i + j) % 2 ? R(i * 25, j * 25 + 5, 25, 15, b) : R(i * 25 + 5, j * 25, 15, 25, c),
        ),
      )
      .join(""),
  ([a, b, c]: FullPalette) =>
    R(-0.6, -0.6, 101.2, 101.2, a) +
    [0, 25, 50, 75]
      .map(
        (x) =>
          P(`M${x} 50L${x + 12.5} 8L${x + 25} 50Z`, b) +
          P(`M${x} 100L${x + 12.5} 58L${x + 25} 100Z`, c),
      )
      .join(""),
  ([a, b, c, d]: FullPalette) =>
    R(-0.6, -0.6, 101.2, 101.2, a) +
    P("M50 4L96 50L50 96L4 50Z", b) +
    P("M50 24L76 50L50 76L24 50Z", c) +
    P("M50 40L60 50L50 60L40 50Z", d),
  ([a, b, c]: FullPalette) =>
    R(-0.6, -0.6, 101.2, 101.2, a) +
    [100, 80, 60, 40, 20].map((w, i) => R(0, i * 20 + 3, w, 14, i % 2 ? c : b)).join(""),
];

const PALETTES: readonly Palette[] = [
  [C.indigo, C.marigold, C.cotton, C.hibiscus],
  [C.hibiscus, C.butter, C.ink, C.cotton],
  [C.palm, C.marigold, C.leaf, C.cotton],
  [C.ink, C.marigold, C.foam, C.hibiscus],
  [C.clay, C.butter, C.ink, C.marigold],
  [C.sea, C.cotton, C.marigold, C.ink],
  [C.cotton, C.indigo, C.hibiscus, C.marigold],
  [C.indigo, C.sky, C.marigold, C.cotton],
  [C.cotton, C.palm, C.marigold, C.clay],
  [C.hibiscus, C.petal, C.marigold, C.cotton],
];

// A member's own tile leaves out the two pale palettes, which vanish on a white page.
const OWN_PALETTES = [0, 1, 2, 3, 4, 5, 7, 9];

/** One motif in one palette, turned by quarter turns, on a square of 100 by 100. */
export function tile(motif: number, palette: number | Palette, turns = 0): string {
  const [a, b, c, d = a] = typeof palette === "number" ? pick(PALETTES, palette) : palette;
  const inner = pick(TILES, motif)([a, b, c, d]);
  return turns === 0 ? inner : `<g transform="rotate(${turns * 90} 50 50)">${inner}</g>`;
}

/** A person's own tile: the same name gives the same tile, and nothing is stored. */
export function tileFor(name: string): string {
  const [motif, palette, turns] = numbersFor(name);
  return tile(motif, pick(OWN_PALETTES, palette), turns);
}

/** The name of a person's own tile in links: `3-1-2`. It does not say whose it is. */
export function tileCode(name: string): string {
  return numbersFor(name).join("-");
}

/** The file of a name's own tile, without its turns. */
export function tileFile(name: string): string {
  const [motif, palette] = numbersFor(name);
  return `tile-${motif}-${palette}`;
}

/** Every tile that a person may have, by its code, without its turns: `3-1`. */
export function ownTiles(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    TILES.flatMap((_, motif) =>
      OWN_PALETTES.map((palette, place) => [`${motif}-${place}`, tile(motif, palette)]),
    ),
  );
}

function numbersFor(name: string): readonly [motif: number, palette: number, turns: number] {
  const code = hash(name);
  return [code % TILES.length, (code >>> 8) % OWN_PALETTES.length, (code >>> 16) % 4];
}

// Column rhythm of the cloth: each strip alternates two motifs in one or two palettes.
const STRIPS: readonly (readonly [number, number, number, number])[] = [
  [0, 0, 3, 2],
  [9, 1, 2, 1],
  [3, 2, 8, 2],
  [1, 3, 0, 3],
  [6, 6, 10, 6],
  [5, 4, 11, 4],
  [2, 7, 7, 7],
  [4, 9, 3, 1],
  [10, 5, 1, 5],
  [8, 8, 6, 8],
];

/** The square of the cloth at a column and a row. */
export function cell(column: number, row: number): string {
  const [motif, palette, otherMotif, otherPalette] = pick(STRIPS, column);
  return row % 2 === 0
    ? tile(motif, palette, (column + row / 2) % 2 === 0 ? 2 : 0)
    : tile(otherMotif, otherPalette, column % 2 === 0 ? 3 : 1);
}

/** Deterministic hash of a text (FNV-1a with a final mix). */
export function hash(text: string): number {
  let code = 2166136261;
  for (const char of text) {
    code ^= char.codePointAt(0) ?? 0;
    code = Math.imul(code, 16777619);
  }
  code ^= code >>> 15;
  code = Math.imul(code, 2246822519);
  code ^= code >>> 13;
  return code >>> 0;
}

function pick<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new RangeError("nothing to pick from");
  return item;
}
