import { C } from "./colours.ts";
import { O, P, R } from "./shapes.ts";
import { tile, type Palette } from "./tiles.ts";

/** A pattern made of one tile. */
export const pat = (id: string, t: number, p: Palette, s = 0.4, rot = 0) =>
  `<pattern id="${id}" width="${100 * s}" height="${100 * s}" patternUnits="userSpaceOnUse" patternTransform="rotate(${rot})"><g transform="scale(${s})">${tile(t, p)}</g></pattern>`;
/** A pattern of two stripes. */
export const stripes = (id: string, a: string, b: string, w = 14, rot = 0) =>
  `<pattern id="${id}" width="${w * 2}" height="${w * 2}" patternUnits="userSpaceOnUse" patternTransform="rotate(${rot})">${R(0, 0, w * 2, w * 2, a)}${R(0, 0, w * 2, w, b)}</pattern>`;
/** A pattern of waves. */
export const waves = (id: string, a: string, b: string) =>
  `<pattern id="${id}" width="80" height="32" patternUnits="userSpaceOnUse">${R(0, 0, 80, 32, a)}<path d="M0 16Q20 0 40 16T80 16" stroke="${b}" stroke-width="5" fill="none"/></pattern>`;
/** A whole scene with its title. */
export const wrap = (defs: string, body: string, title: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600" preserveAspectRatio="xMidYMid slice"><title>${title}</title><defs>${defs}</defs>${body}</svg>`;
export const sun = (x: number, y: number, r: number, f: string, ring: string) =>
  O(x, y, r * 1.9, ring, 'opacity=".35"') + O(x, y, r * 1.45, ring, 'opacity=".6"') + O(x, y, r, f);
export const hill = (d: string, f: string) => P(d, f);
export const palmTree = (x: number, y: number, h: number, k = 1) =>
  `<g transform="translate(${x} ${y}) scale(${k})">${P(`M-7 0Q6 ${-h / 2} -2 ${-h}H8Q18 ${-h / 2} 9 0Z`, "#6d2c13")}${[-160, -125, -90, -52, -18, 15, 195].map((a, i) => `<g transform="translate(3 ${-h}) rotate(${a})">${P("M0 0Q46 -34 104 4Q50 -6 0 0Z", i % 2 ? "#0a5740" : "#12805c")}</g>`).join("")}${O(-2, -h + 8, 8, C.clay)}${O(12, -h + 10, 8, C.marigold)}</g>`;
export const acacia = (x: number, y: number, k = 1, f: string = C.palm) =>
  `<g transform="translate(${x} ${y}) scale(${k})">${P("M-8 0Q-4 -60 -46 -112L-38 -116Q0 -74 0 -62Q4 -80 40 -118L48 -112Q10 -66 10 0Z", "#5a2413")}${P("M-118 -108Q-96 -160 -20 -150Q10 -186 66 -158Q118 -158 124 -116Q60 -100 0 -104Q-60 -98 -118 -108Z", f)}${P("M-84 -128Q-60 -150 -14 -140M10 -150Q50 -168 92 -134", "none", 'stroke="#fffdf8" stroke-opacity=".25" stroke-width="6" stroke-linecap="round"')}</g>`;
export const bush = (x: number, y: number, k: number, f: string) =>
  `<g transform="translate(${x} ${y}) scale(${k})">${O(-34, -20, 30, f)}${O(0, -36, 40, f)}${O(38, -20, 30, f)}${R(-64, -22, 132, 22, f)}</g>`;
/** A small standing figure, seen from far: head, cloth, no face. */
export const person = (
  x: number,
  y: number,
  k: number,
  skin: string,
  top: string,
  skirt: string,
  wrapC: string | null,
) =>
  `<g transform="translate(${x} ${y}) scale(${k})">${P("M-15 -2V-46H-2V-2ZM2 -2V-46H15V-2Z", skin)}${P("M-24 -36Q-22 -92 0 -92Q22 -92 24 -36Z", skirt)}${P("M-20 -76Q-22 -122 0 -122Q22 -122 20 -76Z", top)}${O(0, -138, 16, skin)}${wrapC ? P("M-18 -142Q-20 -166 2 -166Q22 -166 18 -142Q0 -152 -18 -142Z", wrapC) : P("M-16 -140Q-16 -156 0 -156Q16 -156 16 -140Q0 -148 -16 -140Z", "#1b1420")}</g>`;
/** Skin tones of the figures. */
export const SK = ["#6b3a22", "#8a4f2f", "#4b2818", "#a96a43"] as const;
