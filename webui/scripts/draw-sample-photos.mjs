// Draws the pictures of the sample projects' milestones and of the sample reports from the field.
// Run `node scripts/draw-sample-photos.mjs FOLDER` after a change here or in the art kit: it writes
// each picture under its SHA-256, and prints which is which, for data/projects.yaml and data/field.yaml.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { createServer } from "vite";

const [WIDTH, HEIGHT] = [800, 600];
const QUALITY = 78;
const folder = process.argv[2] ?? "public/samples";

const vite = await createServer({ server: { middlewareMode: true }, logLevel: "error" });
const { C } = await vite.ssrLoadModule("/src/art/colours.ts");
const kit = await vite.ssrLoadModule("/src/art/scene-kit.ts");
const { O, P, R } = await vite.ssrLoadModule("/src/art/shapes.ts");
await vite.close();
const { acacia, bush, hill, palmTree, pat, person, SK, stripes, sun, waves, wrap } = kit;

const NIGHT = "#1a2170";
const EARTH = "#963a15";
const DEFS =
  pat("grass", 1, [C.palm, "#12805c", C.leaf], 0.5) +
  pat("soil", 9, [C.clay, "#c75f31", EARTH], 0.44) +
  pat("kente", 3, [C.marigold, C.indigo, C.hibiscus], 0.5) +
  stripes("tin", "#9aa0c8", "#c6cae6", 12) +
  stripes("cloth", C.hibiscus, C.cotton, 20) +
  waves("water", C.sea, C.foam);

const line = (d, colour, width, more = "") =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`;
const repeat = (count, draw) => Array.from({ length: count }, (_, index) => draw(index)).join("");
const sky = (colour) => R(0, 0, WIDTH, HEIGHT, colour);
const ground = (y, fill) => hill(`M0 ${y}Q260 ${y - 46} 800 ${y + 8}V600H0Z`, fill);
const flag = (x, y, colour) => R(x - 4, y - 110, 8, 110, C.ink) + P(`M${x + 4} ${y - 110}L${x + 60} ${y - 88}L${x + 4} ${y - 66}Z`, colour);
const rig = (x, y, colour) =>
  line(`M${x - 74} ${y}L${x} ${y - 340}L${x + 74} ${y}M${x - 56} ${y - 84}H${x + 56}M${x - 38} ${y - 168}H${x + 38}M${x - 20} ${y - 250}H${x + 20}M${x - 56} ${y - 84}L${x + 38} ${y - 168}L${x - 20} ${y - 250}`, C.ink, 10) +
  R(x - 7, y - 320, 14, 330, colour) +
  O(x, y - 340, 18, colour);
const panel = (x, y, k = 1) =>
  `<g transform="translate(${x} ${y}) scale(${k})">${R(-6, -70, 12, 74, C.ink)}${P("M-96 -60L-64 -150H112L80 -60Z", C.indigo)}${repeat(3, (n) => line(`M${-52 + n * 44} -60L${-20 + n * 44} -150`, "#8d9aff", 4))}${line("M-80 -105H96", "#8d9aff", 4)}</g>`;
const tank = (x, y, k = 1) =>
  `<g transform="translate(${x} ${y}) scale(${k})">${R(-70, -120, 12, 124, C.ink)}${R(58, -120, 12, 124, C.ink)}${line("M-64 -110L64 -6M64 -110L-64 -6", C.ink, 7)}${R(-92, -232, 184, 116, C.hibiscus, 'rx="14"')}${R(-92, -190, 184, 18, C.marigold)}${P("M-100 -228Q0 -290 100 -228Z", C.ink)}</g>`;
const can = (x, y, colour = C.marigold) => R(x, y - 62, 56, 62, colour, 'rx="8"') + R(x + 14, y - 78, 28, 20, colour, 'rx="5"') + R(x, y - 40, 56, 9, C.clay);
const lamp = (x, y, height, lit) =>
  (lit ? O(x + 50, y - height + 22, 92, "#ffb61e", 'opacity=".28"') + P(`M${x + 20} ${y - height + 22}L${x - 60} ${y}H${x + 160}L${x + 80} ${y - height + 22}Z`, "#ffd27a", 'opacity=".22"') : "") +
  R(x - 6, y - height, 12, height, lit ? "#8d9aff" : C.ink) +
  line(`M${x} ${y - height}H${x + 50}`, lit ? "#8d9aff" : C.ink, 9) +
  R(x + 24, y - height + 2, 52, 20, lit ? C.marigold : "#9aa0c8", 'rx="8"') +
  P(`M${x - 46} ${y - height - 8}L${x - 30} ${y - height - 40}H${x + 46}L${x + 30} ${y - height - 8}Z`, C.indigo);
const house = (x, y, width, height, wall, roof) => R(x, y - height, width, height, wall) + P(`M${x - 22} ${y - height}L${x + width / 2} ${y - height - 74}L${x + width + 22} ${y - height}Z`, roof);
const sprout = (x, y, k) => `<g transform="translate(${x} ${y}) scale(${k})">${P("M-26 0L-20 -40H20L26 0Z", C.indigo)}${line("M0 -40V-92", C.palm, 8)}${P("M0 -64Q-46 -74 -48 -112Q-6 -110 0 -64ZM0 -78Q42 -86 48 -124Q6 -124 0 -78Z", C.leaf)}</g>`;
const frame = (x, y, k, colour) =>
  `<g transform="translate(${x} ${y}) scale(${k})">${line("M-90 0L0 -120L90 0ZM-60 -40H60M-30 -80H30M0 -120V0", C.cotton, 9)}${repeat(5, (n) => O(-60 + n * 30, -34 - (n % 2) * 40, 17, [colour, C.marigold, C.petal][n % 3]))}</g>`;

const PICTURES = {
  "survey: Two people with flags mark where a borehole will be": sky(C.butter) + sun(620, 170, 74, C.marigold, "#ffd27a") + hill("M0 320Q200 200 420 300T800 250V600H0Z", "#2f8f68") + ground(420, "url(#soil)") + acacia(150, 412, 1) + flag(330, 500, C.hibiscus) + flag(610, 470, C.indigo) + line("M330 500L610 470", C.cotton, 6, 'stroke-dasharray="4 16"') + person(440, 540, 1.2, SK[0], C.indigo, C.ink, C.marigold) + person(520, 536, 1.1, SK[1], C.hibiscus, C.sea, null) + R(452, 436, 66, 46, C.cotton) + line("M460 450H508M460 464H492", C.sea, 4),
  "borehole-1: A drilling rig, and clear water from the ground": sky(C.sand) + sun(170, 170, 80, C.hibiscus, "#ffb61e") + hill("M0 350Q240 240 470 330T800 290V600H0Z", "url(#grass)") + ground(450, "url(#soil)") + rig(500, 486, C.marigold) + line("M500 480Q420 330 350 470M500 480Q590 300 660 474M500 480Q460 300 430 420", C.sea, 12) + `<ellipse cx="500" cy="520" rx="210" ry="34" fill="url(#water)"/>` + person(200, 556, 1.15, SK[2], C.marigold, C.indigo, C.hibiscus) + person(270, 560, 0.8, SK[0], C.cotton, C.hibiscus, null) + person(720, 552, 1.1, SK[1], C.sea, C.ink, C.marigold),
  "borehole-2: A second rig in the evening": sky("#ffcf9f") + sun(400, 300, 120, "#ff7f5c", C.marigold) + hill("M0 330Q160 270 330 320T800 270V600H0Z", "#6b3a6e") + hill("M0 390Q300 330 800 380V600H0Z", EARTH) + ground(468, "#5a2413") + acacia(690, 430, 1.1, "#2a1b4d") + rig(280, 500, C.cotton) + R(370, 430, 190, 60, C.indigo, 'rx="10"') + R(390, 396, 70, 40, C.marigold) + O(412, 492, 26, C.ink) + O(520, 492, 26, C.ink) + `<ellipse cx="270" cy="524" rx="120" ry="20" fill="url(#water)"/>` + person(150, 552, 1.1, SK[0], C.hibiscus, C.indigo, null),
  "pumps: Solar panels and a raised tank": sky("#d8efee") + sun(130, 130, 62, C.marigold, "#ffd27a") + hill("M0 340Q240 250 430 320T800 280V600H0Z", "#2f8f68") + ground(440, "url(#grass)") + tank(590, 480, 1.35) + panel(190, 490, 1.1) + panel(370, 520, 1.1) + line("M430 470H520V440", C.sea, 10) + bush(720, 520, 0.9, "#0a5740") + person(300, 570, 1, SK[3], C.cotton, C.indigo, C.hibiscus),
  "second-tank: Yellow cans in a row under a tap": sky(C.butter) + ground(330, "#2f8f68") + ground(400, "url(#soil)") + R(60, 120, 16, 330, C.ink) + line("M68 150H190V250", C.ink, 16) + P("M180 250H200L206 440H174Z", C.foam) + repeat(7, (n) => can(166 + n * 84, 490 + (n % 2) * 14, n % 3 === 2 ? "#ffc94f" : C.marigold)) + person(560, 400, 0.9, SK[0], C.hibiscus, C.indigo, C.marigold) + person(640, 404, 0.9, SK[2], C.sea, C.hibiscus, C.cotton) + person(712, 402, 0.72, SK[1], C.cotton, C.clay, null),
  "poles: Lamp posts stand along a road": sky("#d8e6fb") + house(40, 400, 150, 120, C.clay, "url(#tin)") + house(230, 400, 120, 90, C.butter, C.hibiscus) + house(560, 400, 180, 110, C.petal, "url(#tin)") + R(0, 400, 800, 200, "#d9c7a3") + R(0, 470, 800, 70, "#6f6a7d") + repeat(6, (n) => R(40 + n * 140, 500, 70, 8, C.cotton)) + repeat(4, (n) => lamp(110 + n * 190, 450, 250 - n * 14, false)) + person(420, 590, 1, SK[0], C.marigold, C.indigo, null),
  "lamps: A market road at night under solar lamps": sky(NIGHT) + O(660, 90, 40, C.cotton) + repeat(14, (n) => O((n * 137) % 800, 30 + ((n * 71) % 170), 3, C.cotton)) + house(30, 400, 160, 120, "#3b2a5e", "#2a1b4d") + house(590, 400, 180, 130, "#4a2f4d", "#2a1b4d") + R(0, 400, 800, 200, "#2c2346") + R(0, 470, 800, 70, "#191530") + repeat(4, (n) => lamp(90 + n * 190, 452, 250 - n * 12, true)) + R(270, 360, 150, 16, "url(#cloth)") + R(280, 376, 8, 70, C.cotton) + R(402, 376, 8, 70, C.cotton) + R(276, 420, 138, 40, C.clay) + person(345, 440, 0.72, SK[0], C.marigold, C.hibiscus, C.hibiscus) + person(520, 590, 1, SK[2], C.hibiscus, C.sea, C.marigold) + person(580, 592, 0.76, SK[1], C.cotton, C.indigo, null),
  "roof: A new roof on the reading room": sky("#d8efee") + sun(660, 130, 58, C.marigold, "#ffd27a") + ground(470, "url(#grass)") + R(150, 280, 460, 230, C.clay) + P("M110 290L380 120L650 290Z", "url(#tin)") + P("M380 120L650 290H560L340 146Z", C.hibiscus) + R(210, 350, 90, 90, C.cotton) + R(340, 350, 90, 160, C.indigo) + R(470, 350, 90, 90, C.cotton) + line("M255 350V440M210 395H300M515 350V440M470 395H560", C.ink, 6) + line("M640 520L700 210M672 528L732 218M650 470H690M660 420H700M670 370H710M680 320H720", EARTH, 9) + person(110, 556, 1.1, SK[0], C.marigold, C.indigo, C.hibiscus),
  "shelves: Shelves full of books": sky(C.sand) + R(0, 500, 800, 100, EARTH) + R(90, 60, 620, 450, "#6d2c13") + repeat(3, (row) => R(112, 84 + row * 142, 576, 118, "#3d1608") + repeat(16, (n) => R(120 + n * 35, 92 + row * 142 + ((n * 7 + row * 5) % 4) * 8, 28, 110 - ((n * 7 + row * 5) % 4) * 8, [C.hibiscus, C.marigold, C.sea, C.cotton, C.indigo, C.leaf, C.petal][(n * 3 + row) % 7]))) + person(250, 576, 1, SK[1], C.cotton, C.indigo, null) + person(330, 580, 0.86, SK[0], C.marigold, C.hibiscus, C.marigold),
  "plan: The plan of the clinic on a table": sky("#6d2c13") + R(0, 0, 800, 600, "url(#soil)", 'opacity=".35"') + `<g transform="rotate(-5 400 300)">${R(120, 90, 560, 400, C.indigo)}${line("M170 140H630V440H170ZM170 280H400M400 140V440M400 340H630M250 140V280M520 340V440", C.cotton, 7)}${line("M400 300A40 40 0 0 1 440 340M250 240A40 40 0 0 0 290 280", C.cotton, 4)}${repeat(9, (n) => line(`M${190 + n * 52} 460V472`, C.foam, 4))}${P("M300 190H330V220H360V250H330V280H300V250H270V220H300Z", C.hibiscus, 'transform="translate(-10 -30) scale(.9)"')}</g><g transform="rotate(28 620 470)">${R(480, 460, 260, 22, C.marigold)}${P("M740 460L784 471L740 482Z", C.cotton)}</g>`,
  "fund: Market stalls and a savings box": sky(C.butter) + R(0, 430, 800, 170, "#d9c7a3") + repeat(3, (n) => R(40 + n * 256, 250, 12, 220, C.ink) + R(236 + n * 256, 250, 12, 220, C.ink) + P(`M${22 + n * 256} 260L${44 + n * 256} 176H${244 + n * 256}L${266 + n * 256} 260Z`, ["url(#cloth)", "url(#kente)", C.sea][n]) + R(36 + n * 256, 390, 216, 60, [C.clay, C.indigo, C.hibiscus][n]) + repeat(5, (k) => O(66 + n * 256 + k * 38, 384, 19, [C.marigold, C.leaf, C.hibiscus][(k + n) % 3]))) + person(150, 380, 0.66, SK[0], C.cotton, C.indigo, C.hibiscus) + person(660, 380, 0.66, SK[2], C.marigold, C.ink, null) + R(330, 470, 150, 90, C.indigo, 'rx="10"') + R(376, 486, 58, 9, C.ink) + O(405, 452, 24, C.marigold) + person(250, 590, 1.1, SK[1], C.hibiscus, C.sea, C.marigold) + person(560, 590, 1.1, SK[3], C.sea, C.hibiscus, null),
  "walls: Stone walls hold the terraces": sky("#d8e6fb") + sun(640, 120, 56, C.marigold, "#ffd27a") + hill("M0 260Q220 120 460 220T800 160V600H0Z", "#2f8f68") + repeat(3, (row) => R(0, 290 + row * 106, 800, 106, row % 2 ? C.leaf : "#3a9d75") + repeat(18, (n) => P(`M${n * 48 - row * 16} ${352 + row * 106}h42l5 20l-5 22h-40l-6 -20Z`, ["#8b8598", "#a59fb2", "#746e82"][(n + row) % 3]))) + bush(180, 292, 0.5, "#0a5740") + bush(560, 396, 0.6, "#0a5740") + person(340, 346, 0.8, SK[0], C.hibiscus, C.indigo, C.marigold) + person(640, 452, 0.9, SK[2], C.marigold, C.ink, null),
  "seedlings: Rows of young trees in pots": sky(C.butter) + hill("M0 240Q260 150 800 220V600H0Z", "#2f8f68") + ground(310, "url(#soil)") + repeat(7, (n) => sprout(80 + n * 108, 380, 0.78)) + repeat(6, (n) => sprout(110 + n * 122, 470, 1)) + repeat(5, (n) => sprout(100 + n * 152, 584, 1.3)) + person(690, 330, 0.8, SK[1], C.hibiscus, C.indigo, C.marigold),
  "frames: Coral grows on frames under water": sky(C.sea) + R(0, 0, 800, 150, "url(#water)") + ground(500, C.sand) + repeat(4, (n) => frame(130 + n * 184, 520 + (n % 2) * 30, 1.05, C.hibiscus)) + repeat(5, (n) => P(`M${120 + n * 130} ${230 + ((n * 53) % 90)}q40 -30 76 0l26 -20v40l-26 -20q-36 30 -76 0Z`, [C.marigold, C.cotton, C.petal][n % 3])) + P("M300 60H520L480 110H344Z", C.clay) + repeat(9, (n) => O(90 + ((n * 97) % 640), 180 + ((n * 67) % 200), 7, C.foam)),
  "measured: Two people measure a roof": sky("#d8e6fb") + sun(130, 120, 56, C.marigold, "#ffd27a") + ground(480, "#2f8f68") + house(180, 500, 440, 210, C.butter, "url(#tin)") + R(360, 380, 80, 120, C.indigo) + R(230, 340, 80, 80, C.cotton) + R(490, 340, 80, 80, C.cotton) + line("M400 190L642 272", C.hibiscus, 8) + line("M392 178L408 202M636 258L648 286", C.hibiscus, 8) + line("M110 520L196 270M146 520L232 270M122 470H162M138 420H178M156 370H196M172 320H212", EARTH, 9) + person(688, 560, 1.15, SK[0], C.marigold, C.indigo, C.hibiscus) + person(90, 566, 1.05, SK[2], C.hibiscus, C.ink, null),
  "evenings: People sit together in the evening under a lamp": sky(NIGHT) + O(120, 100, 34, C.cotton) + repeat(10, (n) => O((n * 149) % 800, 26 + ((n * 83) % 150), 3, C.cotton)) + ground(420, "#2c2346") + P("M400 150L150 520H650Z", "#ffd27a", 'opacity=".25"') + line("M400 0V130", "#8d9aff", 7) + P("M352 150Q400 96 448 150Z", C.hibiscus) + O(400, 156, 20, C.marigold) + repeat(6, (n) => R(120 + n * 98, 520, 70, 16, EARTH) + person(155 + n * 98, 522, 0.95, SK[n % 4], [C.hibiscus, C.cotton, C.marigold, C.sea, C.petal, C.leaf][n], [C.indigo, C.clay, C.hibiscus, C.ink, C.indigo, C.clay][n], n % 2 ? null : C.marigold)) + R(360, 560, 80, 30, C.cotton) + line("M374 570H426M374 580H412", C.sea, 4),
  "training: The water committee meets under a tree": sky(C.sand) + sun(120, 150, 60, C.hibiscus, "#ffb61e") + ground(400, "url(#grass)") + acacia(410, 430, 2.1) + repeat(4, (n) => person(170 + n * 60, 540 + (n % 2) * 20, 0.9, SK[n % 4], [C.hibiscus, C.cotton, C.marigold, C.sea][n], [C.indigo, C.clay, C.ink, C.hibiscus][n], n % 2 ? null : C.marigold)) + repeat(3, (n) => person(570 + n * 66, 548 + (n % 2) * 18, 0.92, SK[(n + 1) % 4], [C.indigo, C.marigold, C.hibiscus][n], [C.hibiscus, C.sea, C.indigo][n], n === 1 ? C.cotton : null)) + `<g transform="translate(480 560)">${R(-34, -56, 68, 56, C.ink, 'rx="6"')}${R(-16, -92, 32, 40, C.sea)}${line("M16 -84H46V-62", C.ink, 9)}</g>` + palmTree(742, 420, 120, 0.8),
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
  for (const [name, body] of Object.entries(PICTURES)) {
    const [id, title] = name.split(": ");
    await page.setContent(`<style>body{margin:0}svg{display:block;width:${WIDTH}px}</style>${wrap(DEFS, body, title)}`);
    const data = await page.screenshot({ type: "jpeg", quality: QUALITY });
    const file = `${createHash("sha256").update(data).digest("hex")}.jpg`;
    writeFileSync(`${folder}/${file}`, data);
    console.log(`${id} ${file} ${data.length}`);
  }
} finally {
  await browser.close();
}
