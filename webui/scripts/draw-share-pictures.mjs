// Draws the Open Graph image of the site in each language, and the icons of the installed app.
// Run `node scripts/draw-share-pictures.mjs` after changes to the drawings, fonts or text.
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { createServer } from "vite";
import { languages, readCatalogue, translationFile } from "./languages.mjs";

const WIDTH = 1200;
const HEIGHT = 630;
const SQUARE = 105;
const COLUMNS = 4;
const ICONS = [192, 512];

const vite = await createServer({ server: { middlewareMode: true }, logLevel: "error" });
const { artFiles } = await vite.ssrLoadModule("/src/art/files.ts");
const { cell } = await vite.ssrLoadModule("/src/art/tiles.ts");
const { C } = await vite.ssrLoadModule("/src/art/colours.ts");
await vite.close();

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
  for (const language of languages) {
    await page.setContent(picture(readCatalogue(language, "home")));
    await page.evaluate(() => document.fonts.ready);
    const file = language === "en" ? "public/share.png" : translationFile(language, "share.png");
    await page.screenshot({ path: file });
  }
  for (const size of ICONS) {
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(icon());
    await page.screenshot({ path: `public/icon-${size}.png` });
  }
} finally {
  await browser.close();
}

function picture(texts) {
  const font = readFileSync("src/styles/fonts/jara-display-latin.woff2").toString("base64");
  return `<!doctype html><style>
    @font-face { font-family: Display; font-weight: 500 800; font-stretch: 75% 100%;
      src: url(data:font/woff2;base64,${font}) }
    body { margin: 0; height: ${HEIGHT}px; display: flex; background: ${C.marigold};
      color: ${C.ink}; font: 700 78px/1.04 Display }
    main { flex: 1; padding: 72px; display: flex; flex-direction: column;
      justify-content: space-between }
    b { display: flex; align-items: center; gap: 24px; font-size: 64px; font-weight: 800 }
    b svg { width: 88px; height: 88px }
    main, p, h1 { margin: 0 } h1 { font: inherit; letter-spacing: -.02em; text-wrap: balance }
  </style><main><b>${mark()}Jara</b><h1>${texts["meta.title"]}</h1></main>${cloth()}`;
}

// Systems cut icons to a circle of 80 % of their width.
function icon() {
  return `<!doctype html><style>
    body { margin: 0; height: 100vh; display: grid; place-items: center; background: ${C.cotton} }
    svg { width: 54vw; height: 54vw }
  </style>${artFiles()["mark.svg"]}`;
}

// Its marigold part is invisible on marigold.
function mark() {
  return artFiles()["mark.svg"].replace(C.marigold, C.cotton);
}

function cloth() {
  const rows = HEIGHT / SQUARE;
  const squares = Array.from({ length: COLUMNS * rows }, (_, index) => {
    const [column, row] = [index % COLUMNS, Math.floor(index / COLUMNS)];
    return `<g transform="translate(${column * 100} ${row * 100})">${cell(index, (column * 3 + row) % 4)}</g>`;
  });
  const size = `width="${COLUMNS * SQUARE}" height="${HEIGHT}"`;
  return `<svg viewBox="0 0 ${COLUMNS * 100} ${rows * 100}" ${size}>${squares.join("")}</svg>`;
}
