import { C } from "./colours.ts";
import { cell } from "./tiles.ts";

/** "Pledge": a cloth that grows, with one square marked by the smallest pledge. */
export function pledgePicture(amount: string): string {
  const squares = Array.from({ length: 15 }, (_, index) => {
    const [column, row] = [index % 6, Math.floor(index / 6)];
    return `<g transform="translate(${column * 50} ${row * 50}) scale(.5)">${cell((column * 3 + 1) % 10, row)}</g>`;
  });
  const next =
    `<rect x="153" y="103" width="44" height="44" fill="${C.cotton}"/>` +
    `<text x="175" y="130" text-anchor="middle" font-family="Jara Display" font-weight="800" font-size="13" fill="${C.ink}">${amount}</text>`;
  const warp = Array.from({ length: 36 }, (_, thread) => {
    const column = Math.floor(thread / 6);
    return `<path d="M${column * 50 + 4 + (thread % 6) * 8.4} ${column <= 3 ? 150 : 100}V200" stroke="#fff" stroke-width="1.6" opacity=".55"/>`;
  });
  return [...squares, next, ...warp].join("");
}

/** "Vote": two bars of threads and the mark that yes has to reach. */
export function votePicture(
  words: { readonly yes: string; readonly no: string; readonly mark: string },
  percentToPass: number,
): string {
  const x = percentToPass * 3;
  return (
    voteBar(30, 62, C.marigold) +
    voteBar(124, 38, C.petal) +
    `<path d="M${x} 10V194" stroke="#fff" stroke-width="4"/>` +
    `<text x="${x + 8}" y="20" font-family="Source Sans 3 Variable" font-weight="700" font-size="15" fill="#fff">${words.mark}</text>` +
    voteWord(68, words.yes) +
    voteWord(162, words.no)
  );
}

/** "Track": one bar per fund, one thread per cent of a dollar. */
export function trackPicture(
  shares: readonly { readonly percent: number; readonly text: string }[],
): string {
  const fills = ["#8d9aff", "#4cc3c6", "#ff7fab", C.marigold];
  return shares
    .map(({ percent, text }, row) => {
      const y = 10 + row * 47;
      return (
        threads(y, 36, Math.round(percent), 2.7, 2, fills[row % fills.length] ?? C.marigold) +
        `<text x="${percent * 2.7 + 10}" y="${y + 28}" font-family="Jara Display" font-weight="800" font-size="27" fill="#fff">${text}</text>`
      );
    })
    .join("");
}

/** A loom with its first row woven, for empty lists. */
export function loomPicture(): string {
  const warp = Array.from(
    { length: 23 },
    (_, thread) =>
      `<path d="M${30 + thread * 10} 20V140" stroke="var(--line-strong)" stroke-width="2"/>`,
  );
  const row = Array.from(
    { length: 6 },
    (_, index) =>
      `<g transform="translate(${25 + index * 38.3} 100) scale(.383)">${cell(index, 1)}</g>`,
  );
  return `<path d="M20 20H260M20 140H260" stroke="var(--text)" stroke-width="6"/>${warp.join("")}${row.join("")}`;
}

/** A frayed cloth, for the 404 page. */
export function frayedPicture(): string {
  const squares = Array.from({ length: 12 }, (_, index) => {
    const [column, row] = [Math.floor(index / 2), index % 2];
    if (column === 4 && row === 1) return "";
    return `<g transform="translate(${column * 100} ${row * 100})">${cell(column + 2, row)}</g>`;
  });
  const colours = [C.hibiscus, "var(--warp-c)", C.marigold, C.palm];
  const loose = Array.from({ length: 40 }, (_, thread) => {
    const x = 8 + thread * 15;
    const y = x > 400 && x < 500 ? 100 : 200;
    const length = (thread * 53) % 70;
    return `<path d="M${x} ${y}C${x} ${y + 60} ${x + (thread % 2 === 0 ? -22 : 22)} ${y + 90 + length * 0.4} ${x + ((thread % 3) - 1) * 18} ${y + 120 + length}" stroke="${colours[thread % 4]}" stroke-width="3" fill="none" stroke-linecap="round"/>`;
  });
  return [...squares, ...loose].join("");
}

function voteBar(y: number, count: number, fill: string): string {
  return (
    `<rect x="0" y="${y}" width="300" height="56" fill="#ffffff24"/>` +
    threads(y, 56, count, 3, 2.2, fill)
  );
}

function voteWord(y: number, text: string): string {
  return `<text x="206" y="${y}" font-family="Jara Display" font-weight="800" font-size="30" fill="#fff">${text}</text>`;
}

function threads(
  y: number,
  height: number,
  count: number,
  step: number,
  width: number,
  fill: string,
): string {
  return Array.from(
    { length: count },
    (_, index) =>
      `<rect x="${+(index * step).toFixed(2)}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`,
  ).join("");
}
