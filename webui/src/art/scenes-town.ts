import { C } from "./colours.ts";
import { bush, hill, palmTree, pat, person, SK, stripes, sun, waves, wrap } from "./scene-kit.ts";
import { O, P, R } from "./shapes.ts";

export const schoolScene = wrap(
  pat("a", 6, [C.palm, "#137a58", "#0f6a4b"], 0.42) +
    pat("f", 3, [C.butter, C.marigold, C.clay], 0.36) +
    pat("g", 5, [C.sand, "#eab988", "#f6d8b6"], 0.5),
  R(0, 0, 800, 600, C.foam) +
    O(650, 130, 70, C.marigold) +
    `<g fill="${C.cotton}">${(
      [
        [150, 110, 1],
        [430, 80, 0.8],
      ] as const
    )
      .map(
        ([x, y, k]) =>
          `<path transform="translate(${x} ${y}) scale(${k})" d="M-70 0A30 30 0 0 1 -20 -26A40 40 0 0 1 46 -20A24 24 0 0 1 74 0Z"/>`,
      )
      .join("")}</g>` +
    hill("M0 330Q200 240 420 320T800 290V600H0Z", "url(#a)") +
    hill("M0 440Q400 400 800 440V600H0Z", "url(#g)") +
    palmTree(96, 452, 210, 1.05) +
    `<g>${R(190, 270, 430, 180, C.cotton)}${R(190, 270, 430, 46, "url(#f)")}${P("M160 276L226 186H584L650 276Z", C.indigo)}<path d="M246 196L206 270M316 190L292 270M405 188V270M494 190L518 270M564 196L604 270" stroke="#3b47b5" stroke-width="7"/>${[222, 304, 446, 528].map((x) => R(x, 338, 60, 62, C.ink, 'rx="4"') + R(x + 6, 344, 22, 50, C.foam) + R(x + 32, 344, 22, 50, C.foam)).join("")}${R(378, 340, 56, 110, C.hibiscus)}${O(424, 398, 4, C.marigold)}${R(190, 440, 430, 14, C.clay)}</g>` +
    `<g>${R(686, 240, 8, 214, C.ink)}${P("M694 244H760L742 268L760 292H694Z", C.hibiscus)}</g>` +
    P("M376 454H436L520 600H290Z", C.butter) +
    person(270, 548, 0.82, SK[1], C.hibiscus, C.ink, null) +
    person(560, 560, 0.9, SK[2], C.marigold, C.indigo, null) +
    person(616, 552, 0.74, SK[0], C.hibiscus, C.ink, null) +
    bush(720, 520, 1, "#12805c") +
    bush(60, 560, 1.2, "#12805c"),
  "A school with a patterned frieze, and pupils on the path",
);

export const clinicScene = wrap(
  pat("m", 1, [C.indigo, "#3541a3", "#46539f"], 0.9) +
    pat("g", 8, [C.leaf, "#86c89e", "#bfe8cd"], 0.5) +
    stripes("r", C.sea, "#13959c", 12, 90),
  R(0, 0, 800, 600, "#fbd0dd") +
    sun(190, 180, 72, C.cotton, C.petal) +
    P("M0 350L150 196L260 300L410 130L560 310L660 220L800 350V600H0Z", "url(#m)") +
    P("M410 130L454 184L424 200L404 180L376 200L366 184Z", C.cotton) +
    hill("M0 400Q240 330 460 390T800 360V600H0Z", C.palm) +
    hill("M0 470Q400 420 800 470V600H0Z", "url(#g)") +
    `<g>${R(250, 300, 360, 180, C.cotton)}${P("M226 306L262 236H598L634 306Z", "url(#r)")}${R(250, 456, 360, 24, C.hibiscus)}${R(396, 352, 80, 128, C.ink, 'rx="4"')}${R(404, 360, 30, 120, C.foam)}${R(438, 360, 30, 120, C.foam)}${[280, 346, 500, 556].map((x) => R(x - 6, 352, 44, 56, C.indigo, 'rx="22"')).join("")}<circle cx="436" cy="296" r="42" fill="${C.hibiscus}"/><path d="M404 298H422L430 278L444 316L452 298H468" fill="none" stroke="${C.cotton}" stroke-width="7" stroke-linejoin="round" stroke-linecap="round"/></g>` +
    palmTree(690, 492, 220, 1) +
    palmTree(136, 500, 170, 0.9) +
    person(330, 560, 0.95, SK[2], C.cotton, C.sea, null) +
    person(392, 566, 0.92, SK[0], C.marigold, C.clay, C.marigold) +
    person(566, 556, 0.9, SK[1], C.indigo, C.hibiscus, C.indigo) +
    bush(640, 540, 0.9, "#0e6d4f") +
    bush(206, 520, 0.7, "#0e6d4f"),
  "A rural clinic with a sea-green roof in front of mountains",
);

export const businessScene = wrap(
  stripes("c1", C.hibiscus, C.cotton, 16, 90) +
    stripes("c2", C.indigo, C.marigold, 16, 90) +
    stripes("c3", C.palm, C.butter, 16, 90) +
    waves("w", C.sea, "#2fa5a6") +
    pat("g", 10, [C.sand, "#eab27f", "#f7dcbf", "#e2a168"], 0.6),
  R(0, 0, 800, 600, C.marigold) +
    O(400, 220, 120, C.cotton, 'opacity=".85"') +
    R(0, 250, 800, 120, "url(#w)") +
    P("M520 262L566 180V262ZM574 262V196L620 262ZM500 268H640L618 292H524Z", C.cotton) +
    P("M0 250Q90 210 190 250Z", C.palm) +
    R(0, 366, 800, 234, "url(#g)") +
    (
      [
        [70, "c1", 0, C.hibiscus, C.indigo, [C.marigold, "#f08a24"], [C.clay, C.marigold]],
        [300, "c2", 24, C.indigo, C.clay, [C.palm, "#12805c"], [C.leaf, "#12805c"]],
        [540, "c3", 6, C.palm, C.hibiscus, [C.hibiscus, C.marigold], [C.marigold, C.clay]],
      ] as const
    )
      .map(
        ([x, f, dy, scallop, counter, front, back]) =>
          `<g transform="translate(${x} ${dy})">${R(8, 320, 10, 200, C.ink)}${R(182, 320, 10, 200, C.ink)}${P("M-14 330L14 262H186L214 330Z", `url(#${f})`)}${[-14, 24, 62, 100, 138, 176].map((q, j) => `<path d="M${q} 330A19 16 0 0 0 ${q + 38} 330Z" fill="${j % 2 ? C.cotton : scallop}"/>`).join("")}${R(0, 430, 200, 96, counter)}${R(0, 430, 200, 14, C.ink, 'opacity=".25"')}${Array.from(
            { length: 6 },
            (_, j) => O(20 + j * 32, 424, 17, j % 2 === 0 ? front[0] : front[1]),
          ).join("")}${Array.from({ length: 5 }, (_, j) =>
            O(36 + j * 32, 402, 15, j % 2 === 0 ? back[0] : back[1]),
          ).join("")}</g>`,
      )
      .join("") +
    person(286, 586, 1.05, SK[0], C.indigo, C.marigold, C.hibiscus) +
    person(524, 592, 1.1, SK[2], C.cotton, C.palm, C.marigold),
  "Market stalls with striped awnings beside the sea",
);

export const civicScene = wrap(
  pat("s", 7, [C.night, C.indigo, "#2b358f"], 0.7) +
    pat("g", 8, ["#1b1f56", "#242a72", "#151845"], 0.5),
  R(0, 0, 800, 600, C.night) +
    R(0, 0, 800, 330, "url(#s)", 'opacity=".55"') +
    O(640, 120, 54, C.butter) +
    O(662, 106, 48, C.night) +
    (
      [
        [0, 250, 120, C.indigo],
        [112, 210, 110, "#2f3a9f"],
        [214, 280, 96, C.sea],
        [302, 230, 130, "#1f2771"],
        [424, 270, 100, C.hibiscus],
        [516, 216, 120, "#2f3a9f"],
        [630, 262, 180, C.indigo],
      ] as const
    )
      .map(
        ([x, y, w, f], i) =>
          R(x, y, w, 250, f) +
          Array.from({ length: Math.floor(w / 34) }, (_column, k) =>
            Array.from({ length: 4 }, (_, j) =>
              R(
                x + 12 + k * 32,
                y + 22 + j * 42,
                16,
                22,
                (k * 3 + j * 5 + i * 7) % 4 < 2 ? C.marigold : C.night,
                'opacity=".9"',
              ),
            ).join(""),
          ).join(""),
      )
      .join("") +
    P("M0 430Q400 404 800 430V600H0Z", "url(#g)") +
    P("M330 424H470L640 600H160Z", "#0a0c22") +
    (
      [
        [160, 1.15],
        [640, 1.15],
        [300, 0.72],
        [500, 0.72],
      ] as const
    )
      .map(
        ([x, k], i) =>
          `<g transform="translate(${x} ${k > 1 ? 560 : 470}) scale(${k})"><path d="M${i % 2 ? -52 : 52} -246L${i % 2 ? -150 : -40} 6H${i % 2 ? 40 : 150}Z" fill="${C.marigold}" opacity=".26"/><path d="M0 0V-262Q0 -280 ${i % 2 ? -52 : 52} -268" stroke="${C.cotton}" stroke-width="9" fill="none"/><path d="M${i % 2 ? -78 : 26} -270H${i % 2 ? -26 : 78}L${i % 2 ? -36 : 68} -248H${i % 2 ? -68 : 36}Z" fill="${C.marigold}"/><g transform="rotate(-18 0 -286)">${R(-40, -300, 80, 20, C.sea)}${R(-36, -297, 72, 14, "#0b4a6a")}</g></g>`,
      )
      .join("") +
    person(390, 566, 1, SK[1], C.hibiscus, C.marigold, C.hibiscus) +
    person(440, 572, 0.98, SK[0], C.cotton, C.sea, null) +
    person(360, 500, 0.56, SK[2], C.marigold, C.cotton, null),
  "Solar street lamps light a neighbourhood road at night",
);
