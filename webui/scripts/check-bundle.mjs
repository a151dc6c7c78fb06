// Fails when the site is larger than a cheap phone on a slow connection should have to load.
import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { languages } from "./languages.mjs";

const KB = 1000;
// 80 kB of it are React, React DOM and the router.
const FIRST_MAX = 115 * KB;
// The largest is /donate, which takes cards and other ways to pay.
const ROUTE_MAX = 12.1 * KB;
// It has to cross a line of 50 kbit/s: compressed, that of partners and claimants has 16 kB.
const OWN_MAX = 72 * KB;
// French needs a tenth more letters to say the same.
const TRANSLATED = 1.05;

const problems = [];

for (const language of languages) checkLanguage(language);
checkOwn("page of partners", "field.html", "field-worker.js");
checkOwn("desk", "desk.html");
if (problems.length > 0) {
  console.error(`Too large: ${problems.join(", ")}`);
  process.exitCode = 1;
}

/** Checks what a reader of one language loads; a page loads the texts of one. */
function checkLanguage(language) {
  const folder = language === "en" ? "dist" : path.join("dist", language);
  const manifest = JSON.parse(readFileSync(path.join(folder, ".vite/manifest.json"), "utf8"));
  const main = Object.keys(manifest).find((key) => manifest[key].name === "main");
  const home = reach(manifest, main, new Set());
  report(`${language}: home page, first JavaScript`, sizeOf(manifest, home), FIRST_MAX);
  report(`${language}: home page, styles`, styleSize(manifest, home), 12 * KB);
  for (const key of Object.keys(manifest).filter((name) => name.startsWith("src/app/routes/"))) {
    const own = [...reach(manifest, key, new Set(home))].filter((name) => !home.has(name));
    report(`${language}: ${key}`, sizeOf(manifest, own), ROUTE_MAX * (language === "en" ? 1 : TRANSLATED));
  }
}

/** A page with a bundle of its own, with everything that it loads, before compression. */
function checkOwn(name, ...pages) {
  const page = readFileSync(`dist/${pages[0]}`, "utf8");
  const parts = [...page.matchAll(/\/(assets\/[\w.-]+\.(?:js|css))/g)].map((match) => match[1]);
  const files = [...pages, ...parts];
  const size = files.reduce((sum, file) => sum + readFileSync(`dist/${file}`).length, 0);
  report(`${name}, all of it`, size, OWN_MAX);
}

function reach(manifest, key, seen) {
  if (key === undefined || manifest[key] === undefined || seen.has(key)) return seen;
  seen.add(key);
  for (const imported of manifest[key].imports ?? []) reach(manifest, imported, seen);
  return seen;
}

function sizeOf(manifest, keys) {
  return [...keys].reduce((sum, key) => sum + gzipped(manifest[key].file), 0);
}

function styleSize(manifest, keys) {
  const files = new Set([...keys].flatMap((key) => manifest[key].css ?? []));
  return [...files].reduce((sum, file) => sum + gzipped(file), 0);
}

function gzipped(file) {
  return gzipSync(readFileSync(`dist/${file}`), { level: 9 }).length;
}

function report(name, size, max) {
  const told = `${(size / KB).toFixed(1).padStart(6)} kB of ${(max / KB).toFixed(1).padStart(5)}`;
  console.log(`${told}  ${name}`);
  if (size > max) problems.push(name);
}
