// Builds the site once for each language. The pages of English are in dist/, those of another
// language in dist/<language>/; scripts, styles and pictures are shared in dist/assets/, named by
// content, so that a page loads the texts of one language only.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { languages, readCatalogue, translationFile } from "./languages.mjs";

const TEXTS = new Set([".css", ".js", ".svg", ".txt"]);
// What belongs to one language; everything else is shared.
const OWN = new Set(["index.html", ".vite"]);

for (const language of languages) {
  const folder = language === "en" ? "dist" : path.join("dist", language);
  run(language, "node_modules/vite/bin/vite.js", "build", "--outDir", folder, "--emptyOutDir");
  if (folder !== "dist") {
    share(folder);
    copyFileSync(translationFile(language, "share.png"), `dist/share-${language}.png`);
  }
  const drawing = ["--ssr", "src/app/prerender.tsx", "--outDir", ".ssr", "--logLevel", "warn"];
  run(language, "node_modules/vite/bin/vite.js", "build", ...drawing);
  run(language, "scripts/prerender.mjs", language, folder);
}
for (const name of ["field", "desk"]) {
  run("en", "node_modules/vite/bin/vite.js", "build", "--config", "vite.page.config.ts", "--mode", name);
  drawOwn(name);
}
rmSync("dist/page.html");
compress("dist");

function run(language, ...command) {
  const env = { ...process.env, JARA_LANGUAGE: language };
  const { status } = spawnSync(process.execPath, command, { env, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

/** Puts a page with a bundle of its own beside those of each language, with the identity's slot. */
function drawOwn(name) {
  const page = readFileSync("dist/page.html", "utf8");
  for (const language of languages) {
    const file = path.join("dist", language === "en" ? "" : language, `${name}.html`);
    const { noScript } = readCatalogue(language, name);
    const plain = noScript === undefined ? "" : `<noscript><p class="page">${noScript}</p></noscript>`;
    const own = page.replace('<html lang="en">', `<html lang="${language}"{{identity}}>`);
    writeFileSync(file, own.replace("</main>", `</main>${plain}`));
  }
}

/** Moves what other languages have too to where they have it. */
function share(folder) {
  for (const file of filesOf(folder)) {
    const inside = path.relative(folder, file);
    if (OWN.has(inside.split(path.sep)[0])) continue;
    const target = path.join("dist", inside);
    mkdirSync(path.dirname(target), { recursive: true });
    if (!existsSync(target)) renameSync(file, target);
    else if (!readFileSync(file).equals(readFileSync(target))) {
      throw new Error(`Two languages have different files named ${inside}.`);
    }
  }
  for (const name of readdirSync(folder)) {
    if (!OWN.has(name)) rmSync(path.join(folder, name), { recursive: true });
  }
}

/** Writes brotli and gzip versions of every text file except pages, which the server fills. */
function compress(folder) {
  for (const file of filesOf(folder)) {
    if (!TEXTS.has(path.extname(file))) continue;
    const data = readFileSync(file);
    writeFileSync(`${file}.gz`, gzipSync(data, { level: 9 }));
    writeFileSync(`${file}.br`, brotliCompressSync(data));
  }
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
