import { C } from "./colours.ts";
import { PORTRAITS, portrait } from "./portrait.ts";
import { agricultureScene, beesScene, reefScene, solarScene, waterScene } from "./scenes-land.ts";
import { businessScene, civicScene, clinicScene, schoolScene } from "./scenes-town.ts";
import { O, P, R } from "./shapes.ts";
import { cell, ownTiles } from "./tiles.ts";

/** Drawings that are served as files, by file name. */
export function artFiles(): Readonly<Record<string, string>> {
  const people = PORTRAITS.map((person, index) => [`person-${index + 1}.svg`, portrait(person)]);
  // Of people without a photo; the server chooses one by the name.
  const tiles = Object.entries(ownTiles()).map(([code, inner]) => [`tile-${code}.svg`, svg(100, 100, inner)]);
  return {
    "water.svg": waterScene,
    "school.svg": schoolScene,
    "clinic.svg": clinicScene,
    "business.svg": businessScene,
    "agriculture.svg": agricultureScene,
    "civic.svg": civicScene,
    "reef.svg": reefScene,
    "solar.svg": solarScene,
    "bees.svg": beesScene,
    "band.svg": band(40),
    "mark.svg": markFile(),
    ...Object.fromEntries(people),
    ...Object.fromEntries(tiles),
  };
}

function band(columns: number): string {
  const squares = Array.from(
    { length: columns },
    (_, column) =>
      `<g transform="translate(${column * 100} 0)">${cell(column, (column * 3) % 4)}</g>`,
  );
  return svg(columns * 100, 100, squares.join(""));
}

function markFile(): string {
  return svg(
    100,
    100,
    R(0, 0, 47, 47, C.indigo) +
      P("M53 0H100A47 47 0 0 1 53 47Z", C.marigold) +
      P("M47 100H0A47 47 0 0 1 47 53Z", C.hibiscus) +
      O(76.5, 76.5, 23.5, C.palm),
  );
}

function svg(width: number, height: number, inner: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${inner}</svg>`;
}
