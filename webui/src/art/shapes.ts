/** SVG path, rectangle and circle: the shapes of every drawing. */
export const P = (d: string, fill: string, rest = ""): string =>
  `<path d="${d}" fill="${fill}" ${rest}/>`;

export const R = (
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  rest = "",
): string => `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${rest}/>`;

export const O = (x: number, y: number, radius: number, fill: string, rest = ""): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}" ${rest}/>`;
