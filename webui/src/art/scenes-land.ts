import { C } from "./colours.ts";
import {
  acacia,
  bush,
  hill,
  palmTree,
  pat,
  person,
  SK,
  stripes,
  sun,
  waves,
  wrap,
} from "./scene-kit.ts";
import { O, P, R } from "./shapes.ts";

export const waterScene = wrap(
  pat("a", 1, [C.palm, "#12805c", C.leaf], 0.5) +
    pat("b", 9, [C.clay, "#c75f31", "#963a15"], 0.44) +
    stripes("st", C.indigo, "#3b47b5", 10) +
    waves("w", C.sea, C.foam),
  R(0, 0, 800, 600, C.butter) +
    sun(560, 210, 92, C.hibiscus, "#ffb61e") +
    hill("M0 300Q160 190 330 280T800 230V600H0Z", "#2f8f68") +
    hill("M0 350Q240 250 470 340T800 310V600H0Z", "url(#a)") +
    hill("M0 430Q300 372 800 430V600H0Z", "url(#b)") +
    acacia(120, 392, 1.15) +
    acacia(706, 372, 0.7, "#0b6b4c") +
    `<g>${R(286, 196, 12, 232, C.ink)}${R(392, 196, 12, 232, C.ink)}<path d="M292 240L398 330M398 240L292 330M292 330L398 424M398 330L292 424" stroke="${C.ink}" stroke-width="7"/>${R(264, 96, 162, 112, "url(#st)", 'rx="10"')}${P("M256 100L345 52L434 100Z", C.hibiscus)}${R(264, 140, 162, 16, C.marigold)}</g>` +
    `<path d="M404 210H486V400" stroke="${C.cotton}" stroke-width="12" fill="none"/>${P("M474 398H500V420H474Z", C.ink)}${P("M480 420H494L498 506H476Z", C.foam)}` +
    `<ellipse cx="500" cy="528" rx="150" ry="26" fill="url(#w)"/>` +
    `<g>${R(454, 470, 66, 52, C.marigold, 'rx="8"')}${R(466, 456, 28, 18, C.marigold, 'rx="5"')}${P("M454 488H520V498H454Z", C.clay)}</g>` +
    person(600, 540, 1.05, SK[0], C.marigold, C.indigo, C.hibiscus) +
    person(662, 548, 0.78, SK[1], C.cotton, C.sea, null) +
    `<g transform="translate(600 366) scale(.9)">${R(-24, -38, 48, 40, C.cotton, 'rx="7"')}${R(-24, -24, 48, 8, C.sea)}</g>`,
  "A raised water tank on a hillside feeds a standpipe where people collect water",
);

export const agricultureScene = wrap(
  pat("m", 5, ["#2f8f68", "#27805c", "#3a9d75"], 0.8) +
    stripes("f1", "#12805c", C.leaf, 13, 68) +
    stripes("f2", C.clay, "#d07a4c", 13, 112) +
    stripes("f3", C.palm, "#23966e", 12, 40),
  R(0, 0, 800, 600, C.sand) +
    sun(400, 214, 110, C.marigold, "#ffd27a") +
    hill("M0 320Q120 210 270 290T560 250T800 300V600H0Z", "url(#m)") +
    hill("M0 372Q200 320 420 360T800 340V600H0Z", "#0e6d4f") +
    P("M0 400L330 372L250 600H0Z", "url(#f1)") +
    P("M330 372L520 372L660 600H250Z", "url(#f2)") +
    P("M520 372L800 392V600H660Z", "url(#f3)") +
    P("M322 372H338L262 600H238ZM512 372H528L676 600H648Z", C.butter) +
    acacia(160, 392, 1) +
    acacia(650, 382, 0.8) +
    bush(420, 376, 0.6, "#0a5740") +
    person(400, 520, 1.15, SK[0], C.hibiscus, C.indigo, C.marigold) +
    `<g transform="translate(452 520)"><path d="M0 0V-120" stroke="#5a2413" stroke-width="8"/>${P("M-26 -126H10V-110H-16Z", C.ink)}</g>` +
    person(556, 470, 0.7, SK[1], C.marigold, C.clay, null) +
    person(236, 476, 0.72, SK[2], C.cotton, C.hibiscus, C.indigo),
  "Terraced crop rows at sunrise with people working the field",
);

export const reefScene = wrap(
  waves("w1", C.sea, "#2fa5a6") +
    waves("w2", C.indigo, "#3b47b5") +
    pat("c", 4, [C.hibiscus, C.petal, C.marigold], 0.5) +
    pat("sail", 9, [C.cotton, C.hibiscus, C.marigold], 0.7) +
    pat("sail2", 3, [C.marigold, C.indigo, C.cotton], 0.6),
  R(0, 0, 800, 600, C.butter) +
    sun(230, 190, 84, C.clay, C.marigold) +
    hill("M470 300Q560 190 660 240T800 220V300Z", C.palm) +
    palmTree(640, 262, 110, 0.8) +
    palmTree(716, 250, 130, 0.8) +
    R(0, 296, 800, 110, "url(#w1)") +
    R(0, 380, 800, 220, "url(#w2)") +
    `<g>${P("M310 336L316 96L470 336Z", "url(#sail)")}${P("M296 336V150L206 336Z", "url(#sail2)")}${R(300, 88, 9, 270, C.ink)}${P("M170 352H500L452 412H222Z", C.clay)}${P("M170 352H500L490 366H182Z", C.cotton)}</g>` +
    person(250, 360, 0.62, SK[0], C.marigold, C.ink, null) +
    person(410, 360, 0.6, SK[2], C.hibiscus, C.ink, null) +
    `<g opacity=".96">${P("M0 600V520Q30 470 60 520Q84 452 116 520Q140 484 168 532Q190 560 190 600Z", "url(#c)")}${P("M560 600Q560 540 596 530Q610 470 650 520Q690 452 724 516Q770 486 800 540V600Z", "url(#c)")}</g>` +
    (
      [
        [330, 500, 1, C.marigold],
        [430, 540, 0.8, C.petal],
        [270, 556, 0.7, C.foam],
        [500, 480, 0.7, C.marigold],
      ] as const
    )
      .map(
        ([x, y, k, f]) =>
          `<g transform="translate(${x} ${y}) scale(${k})">${P("M0 0Q26 -26 60 0Q26 26 0 0Z", f)}${P("M4 0L-22 -18V18Z", f)}${O(46, -4, 4, C.ink)}</g>`,
      )
      .join(""),
  "A fishing boat with patterned sails over a coral reef",
);

export const solarScene = wrap(
  stripes("h1", C.palm, "#12805c", 18, 24) +
    stripes("h2", "#2f8f68", "#3fa87d", 16, -18) +
    `<pattern id="cell" width="36" height="36" patternUnits="userSpaceOnUse">${R(0, 0, 36, 36, "#3b47b5")}${R(2, 2, 32, 32, C.indigo)}</pattern>`,
  R(0, 0, 800, 600, "#ffd9a8") +
    sun(600, 170, 100, C.hibiscus, "#ff9c5a") +
    hill("M0 310Q200 180 400 280T800 240V600H0Z", "url(#h2)") +
    hill("M0 380Q260 280 520 372T800 350V600H0Z", "url(#h1)") +
    P("M0 470Q400 430 800 470V600H0Z", C.clay) +
    `<g>${R(90, 300, 190, 150, C.cotton)}${P("M70 306L110 230H262L300 306Z", C.hibiscus)}${R(120, 350, 44, 100, C.ink)}${R(196, 346, 54, 50, C.marigold)}${R(196, 368, 54, 5, C.ink)}${R(221, 346, 5, 50, C.ink)}</g>` +
    (
      [
        [330, 440],
        [480, 452],
        [630, 440],
      ] as const
    )
      .map(
        ([x, y]) =>
          `<g transform="translate(${x} ${y})">${R(28, 0, 8, 70, C.ink)}${R(108, 0, 8, 70, C.ink)}<g transform="skewX(-20)">${R(20, -76, 140, 96, C.cotton)}${R(26, -70, 128, 84, "url(#cell)")}</g></g>`,
      )
      .join("") +
    bush(60, 520, 1, "#0e6d4f") +
    bush(750, 540, 1, "#0e6d4f") +
    person(316, 560, 1, SK[2], C.marigold, C.indigo, null),
  "Solar panels beside a house on a green hillside",
);

export const beesScene = wrap(
  pat("g", 6, [C.palm, "#137a58", "#1d8d68"], 0.5) +
    pat("f", 7, [C.leaf, C.hibiscus, C.marigold], 0.6),
  R(0, 0, 800, 600, "#dfe4fb") +
    sun(140, 150, 70, C.marigold, C.butter) +
    hill("M0 330Q240 240 460 310T800 270V600H0Z", "#2f8f68") +
    hill("M0 400Q280 330 560 390T800 370V600H0Z", "url(#g)") +
    P("M0 470Q400 430 800 480V600H0Z", "url(#f)") +
    acacia(640, 420, 1.35) +
    `<path d="M520 262V300M700 250V296" stroke="${C.ink}" stroke-width="4"/>` +
    (
      [
        [520, 300],
        [700, 296],
      ] as const
    )
      .map(
        ([x, y]) =>
          `<g transform="translate(${x} ${y})">${R(-56, 0, 112, 50, C.clay, 'rx="25"')}${[-30, -6, 18].map((q) => R(q, 0, 10, 50, "#8c3615")).join("")}${O(44, 25, 10, C.ink)}</g>`,
      )
      .join("") +
    (
      [
        [150, C.hibiscus],
        [270, C.marigold],
        [390, C.indigo],
      ] as const
    )
      .map(
        ([x, f]) =>
          `<g transform="translate(${x} 500)">${R(-40, -96, 80, 44, f)}${R(-40, -48, 80, 44, C.cotton)}${P("M-50 -96H50L40 -114H-40Z", C.ink)}${R(-14, -20, 28, 7, C.ink)}${R(-34, -4, 10, 26, C.ink)}${R(24, -4, 10, 26, C.ink)}</g>`,
      )
      .join("") +
    (
      [
        [200, 340],
        [340, 360],
        [440, 300],
        [300, 280],
        [560, 200],
        [470, 380],
      ] as const
    )
      .map(
        ([x, y]) =>
          `<g transform="translate(${x} ${y})"><ellipse rx="12" ry="8" fill="${C.marigold}"/>${R(-3, -8, 5, 16, C.ink)}<ellipse cx="-3" cy="-10" rx="7" ry="5" fill="${C.cotton}"/></g>`,
      )
      .join("") +
    person(470, 566, 1.05, SK[1], C.cotton, C.cotton, C.butter),
  "Bee hives under an acacia tree",
);
