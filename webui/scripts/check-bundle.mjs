// Fails when the site is larger than a cheap phone on a slow connection should have to load.
// With --json it prints the sizes for the benchmarks.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const KB = 1000;
// 80 kB of it are React, React DOM and the router.
const FIRST_MAX = 115 * KB;
const ROUTE_MAX = 12 * KB;

const manifest = JSON.parse(readFileSync("dist/.vite/manifest.json", "utf8"));
const main = Object.keys(manifest).find((key) => manifest[key].name === "main");
const home = reach(main, new Set());
const asJson = process.argv.includes("--json");
const problems = [];
const routes = {};

report("home page, first JavaScript", sizeOf(home), FIRST_MAX);
report("home page, styles", styleSize(home), 12 * KB);
for (const key of Object.keys(manifest).filter((name) => name.startsWith("src/app/routes/"))) {
  const own = [...reach(key, new Set(home))].filter((name) => !home.has(name));
  routes[key] = sizeOf(own);
  report(key, routes[key], ROUTE_MAX);
}
if (asJson) {
  const firstScripts = [...home].map((key) => manifest[key].file);
  console.log(JSON.stringify({ firstBytes: sizeOf(home), firstScripts, routes }));
}
if (problems.length > 0) {
  console.error(`Too large: ${problems.join(", ")}`);
  process.exitCode = 1;
}

function reach(key, seen) {
  if (key === undefined || manifest[key] === undefined || seen.has(key)) return seen;
  seen.add(key);
  for (const imported of manifest[key].imports ?? []) reach(imported, seen);
  return seen;
}

function sizeOf(keys) {
  return [...keys].reduce((sum, key) => sum + gzipped(manifest[key].file), 0);
}

function styleSize(keys) {
  const files = new Set([...keys].flatMap((key) => manifest[key].css ?? []));
  return [...files].reduce((sum, file) => sum + gzipped(file), 0);
}

function gzipped(file) {
  return gzipSync(readFileSync(`dist/${file}`), { level: 9 }).length;
}

function report(name, size, max) {
  const told = `${(size / KB).toFixed(1).padStart(6)} kB of ${(max / KB).toFixed(1).padStart(5)}`;
  if (!asJson) console.log(`${told}  ${name}`);
  if (size > max) problems.push(name);
}
