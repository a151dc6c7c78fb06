import { C } from "./colours.ts";
import { O, P, R } from "./shapes.ts";
import { hash, tile } from "./tiles.ts";

/** The parts of a portrait. hair: 0 crop, 1 afro, 2 wrap, 3 locs, 4 bun, 5 none, 6 braids. */
type Portrait = {
  readonly skin: string;
  readonly hair: number;
  readonly hc?: string;
  readonly bg: string;
  readonly pat: number;
  readonly pal: number;
  readonly glasses?: boolean;
  readonly beard?: boolean;
  readonly ear?: boolean;
};

/** Portraits of invented people; real people never get a drawn face. */
export const PORTRAITS: readonly Portrait[] = [
  { skin: "#6b3a22", hair: 2, bg: C.marigold, pat: 3, pal: 0 },
  { skin: "#8a4f2f", hair: 0, bg: C.sea, pat: 9, pal: 1, beard: true },
  { skin: "#4b2818", hair: 1, bg: C.petal, pat: 0, pal: 2, ear: true },
  {
    skin: "#7a4526",
    hair: 5,
    hc: "#e9e4da",
    bg: C.leaf,
    pat: 1,
    pal: 0,
    beard: true,
    glasses: true,
  },
  { skin: "#a96a43", hair: 3, bg: C.foam, pat: 5, pal: 4 },
  { skin: "#6b3a22", hair: 4, bg: C.sky, pat: 10, pal: 9, glasses: true },
  { skin: "#8a4f2f", hair: 6, bg: C.clay, pat: 6, pal: 5 },
  { skin: "#6b3a22", hair: 0, bg: C.butter, pat: 8, pal: 3 },
];

/** A portrait in printed cloth, 400 by 440. */
export function portrait({
  skin,
  hair,
  hc = "#1b1420",
  bg,
  pat,
  pal,
  glasses = false,
  beard = false,
  ear = false,
}: Portrait): string {
  const id = `p${hash(JSON.stringify([skin, hair, bg, pat, pal, glasses]))}`;
  let back = "",
    front = "";
  if (hair === 1) back = O(200, 168, 112, hc);
  if (hair === 3)
    back =
      P(
        "M112 150Q112 62 200 62Q288 62 288 150V286Q270 300 262 282V170H138V282Q130 300 112 286Z",
        hc,
      ) + [124, 146, 254, 276].map((x) => R(x - 9, 170, 18, 128, hc, 'rx="9"')).join("");
  if (hair === 4) back = O(200, 66, 42, hc);
  if (hair === 6)
    back = [122, 140, 260, 278]
      .map(
        (x, i) =>
          R(x - 8, 150, 16, 176, hc, 'rx="8"') + O(x, 326, 9, i % 2 ? C.marigold : C.butter),
      )
      .join("");
  const cap = (y = 150) =>
    P(
      `M124 ${y + 26}Q118 88 200 88Q282 88 276 ${y + 26}Q262 ${y - 18} 200 ${y - 20}Q138 ${y - 18} 124 ${y + 26}Z`,
      hc,
    );
  if (hair === 0)
    front = P("M126 172Q116 86 200 86Q284 86 274 172L264 146Q240 128 200 128Q160 128 136 146Z", hc);
  if (hair === 1)
    front = P("M130 160Q140 118 200 118Q260 118 270 160Q276 92 200 88Q124 92 130 160Z", hc);
  if (hair === 2)
    front = `<g>${P("M268 74Q306 18 330 62Q340 108 280 118Z", C.hibiscus)}${P("M276 84Q300 54 316 72Q318 96 282 108Z", C.marigold)}${P("M120 172Q84 34 204 36Q318 38 280 172Q262 120 200 118Q138 120 120 172Z", C.indigo)}${P("M120 172Q108 128 112 110Q160 66 282 96Q290 118 284 150Q250 96 200 104Q146 104 124 154Z", C.hibiscus)}${P("M118 120Q170 62 262 62L268 74Q180 76 118 138Z", C.marigold)}${P("M122 92Q160 46 230 42L244 48Q168 58 120 106Z", C.cotton)}</g>`;
  if (hair === 3 || hair === 4 || hair === 6) front = cap();
  const beardP = beard
    ? P(
        "M130 196Q134 276 200 280Q266 276 270 196Q262 232 232 228Q200 216 168 228Q138 232 130 196Z",
        hc,
      )
    : "";
  const gl = glasses
    ? `<g fill="none" stroke="#13153a" stroke-width="7"><circle cx="168" cy="186" r="25"/><circle cx="232" cy="186" r="25"/><path d="M193 184Q200 178 207 184"/></g>`
    : "";
  const er = ear ? O(122, 232, 10, C.marigold) + O(278, 232, 10, C.marigold) : "";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 440" preserveAspectRatio="xMidYMid slice"><defs><pattern id="${id}" width="52" height="52" patternUnits="userSpaceOnUse"><g transform="scale(.52)">${tile(pat, pal)}</g></pattern><pattern id="${id}b" width="44" height="44" patternUnits="userSpaceOnUse"><g transform="scale(.44)">${tile(pat + 1, pal)}</g></pattern></defs>${R(0, 0, 400, 440, bg)}${O(200, 250, 172, "#fffdf8", 'opacity=".16"')}${back}${P("M164 240H236V330Q200 356 164 330Z", skin)}${P("M164 262Q200 296 236 262V292Q200 322 164 292Z", "#13153a", 'opacity=".22"')}${P("M20 440Q26 336 150 314Q200 362 250 314Q374 336 380 440Z", `url(#${id})`)}${P("M150 314Q200 362 250 314L262 318Q200 386 138 318Z", C.cotton, 'opacity=".9"')}<ellipse cx="200" cy="188" rx="74" ry="92" fill="${skin}"/>${beardP}${front}${gl}${er}</svg>`;
}
