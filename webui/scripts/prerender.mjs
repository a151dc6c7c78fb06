// Prerenders every public page in one language, without any content: what an organisation publishes
// is added by its server. node scripts/prerender.mjs LANGUAGE FOLDER. build.mjs runs it.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readCatalogue } from "./languages.mjs";
import { structuredData } from "./structured-data.mjs";

// Built by `vite build --ssr`.
const drawing = new URL("../.ssr/prerender.js", import.meta.url).href;
const { ART, prerenderPage, FIRST_SLOTS, HERO_SLOTS, LEGAL_SLOTS, paths, sharedSquare, SITE_SLOT, siteRoutes, SQUARE_SLOTS } = await import(drawing);

const [language, folder] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync(path.join(folder, ".vite/manifest.json"), "utf8"));
const MAIN = Object.keys(manifest).find((key) => manifest[key].name === "main");
const KEEP_OFFLINE = "src/lib/page/keep-offline.ts";
const template = readFileSync(path.join(folder, "index.html"), "utf8").replace(
  "<html",
  `<html data-site="${SITE_SLOT}" data-english="{{english}}"{{identity}}`,
);
const SCRIPTS = /<script type="module"[^>]* src="([^"]+)"><\/script>\s*/g;
const FONTS = /<link rel="preload" as="font"[^>]*>\s*/g;
const STYLES = /<link (rel="stylesheet"[^>]* href="\/([^"]+)">)/g;
// A prerendered page needs one request for its first frame: its styles are in it, its fonts and its
// scripts come later. The disabled link tells Vite's loader that the styles are there already.
const prerenderTemplate = template
  .replaceAll(FONTS, "")
  .replaceAll(SCRIPTS, "")
  .replaceAll(STYLES, (_, link, file) => `<style>${stylesOf(file)}</style><link disabled ${link}`)
  .replace("<html", '<html class="first-frame later-layout"')
  .replace("</head>", `${starterElement()}</head>`);
// Catalogues that the server uses for pages without scripts and link previews.
const SERVER_CATALOGUES = ["about", "catalogue", "common", "entry", "faqs", "follow", "foreign", "funds", "home", "home-rest", "impact", "language", "ledger", "open-vote", "pages", "plain", "project-page", "sharing", "voting"];

// Placeholder for the slug of a project or proposal that the build does not know.
const ANY = "_";
// Pages whose first view only the server knows get another version with slots for it; the home page
// has one without and one with a vote in progress, and one that greets with a square.
const VERSIONS = [
  [paths.home, "home", { "/#hero": HERO_SLOTS }],
  [paths.home, "home-vote", { "/#hero": HERO_SLOTS, "/#first": FIRST_SLOTS }],
  [`${paths.home}?square=${ANY}`, "home-square", { "/#hero": HERO_SLOTS, "/#square": SQUARE_SLOTS }],
  ...[["proposals", paths.proposals], ["proposal", paths.proposal(ANY)], ["project", paths.project(ANY)]]
    .map(([name, address]) => [address, name, { [`${address}#first`]: FIRST_SLOTS }]),
  [paths.terms, "terms", { "/legal/terms#text": LEGAL_SLOTS }],
  [paths.privacy, "privacy", { "/legal/privacy#text": LEGAL_SLOTS }],
];
// Pages with a header and a footer that do nothing without scripts.
const NEED_SCRIPTS = new Set([
  paths.donate, paths.checkVote, paths.myImpact, paths.paymentSuccess, paths.newsletterConfirm, paths.newsletterUnsubscribe, paths.partnerConfirm,
  paths.emails, paths.confirmAddress, paths.agreeAddress, paths.undoChange, paths.stopPledge, paths.sandboxBilling,
]);
// React's preload of the first picture; the server writes its own.
const FIRST_PICTURE = /<link rel="preload" as="image"[^>]*\{\{first\.picture\}\}[^>]*>/;
// React renders the title and meta elements before the first element.
const HEAD = /^(?:<title>[^<]*<\/title>|<(?:meta|link)\b[^>]*>)+/;

for (const route of siteRoutes) {
  for (const address of addressesOf(route)) {
    writePage(fileOf(route, address), await drawn(route, address, {}));
    for (const [at, name, slots] of VERSIONS) {
      if (at.split("?")[0] !== address) continue;
      const html = await drawn(route, at, slots);
      writePage(`first/${name}.html`, html.replace(FIRST_PICTURE, ""));
    }
  }
}
// The server sends this for pages that are rendered in the browser.
writePage("shell.html", page("<title>{{organisation}}</title>", {}, null));
const scenes = JSON.parse(readFileSync("src/components/scene/scenes.json", "utf8"));
writePage(".scenes.json", JSON.stringify({ ...scenes, folder: ART }));
writePage(".squares.json", JSON.stringify(sharedSquare()));
writePage(".messages.json", JSON.stringify(Object.fromEntries(SERVER_CATALOGUES.map(messagesOf))));
rmSync(".ssr", { recursive: true });

function addressesOf(route) {
  if (route.path === "*") return ["/no-such-page"];
  if (route.path === paths.proposalPattern) return [paths.proposal(ANY)];
  if (route.path === paths.projectPattern) return [paths.project(ANY)];
  if (route.path === paths.entryPattern) return [paths.entry(ANY)];
  // A member's year is rendered in the browser.
  return route.path === paths.myYearPattern ? [] : [route.path];
}

function fileOf(route, address) {
  if (route.path === "*") return "404.html";
  // For pages whose content only the server knows.
  if (address === paths.project(ANY)) return "project.html";
  if (address === paths.proposal(ANY)) return "proposal.html";
  if (address === paths.entry(ANY)) return "entry.html";
  return path.join(address, "index.html");
}

function messagesOf(name) {
  return [name, readCatalogue(language, name)];
}

async function drawn(route, address, seeds) {
  const { html, used } = await prerenderPage(address, seeds);
  const about = structuredData(address, SITE_SLOT);
  const shown = used.filter((key) => key in seeds).map((key) => [key, seeds[key]]);
  return page(html, Object.fromEntries(shown), route, about);
}

function page(html, seeds, route, about = "") {
  if (html.includes("<script")) throw new Error("A drawn page must not need a script of its own.");
  const head = HEAD.exec(html)?.[0] ?? "";
  const data =
    Object.keys(seeds).length === 0
      ? ""
      : `<script type="application/json" id="page-data">${JSON.stringify(seeds).replaceAll("<", "\\u003c")}</script>`;
  const isDrawn = html.length > head.length;
  const unscripted = isDrawn && route?.frame === "site" ? "" : `<noscript>${needsScripts()}</noscript>`;
  const frame = isDrawn ? prerenderTemplate : template;
  return (
    frame
      // The server writes the head of pages with a slug.
      .replace("<!--head-->", (mark) => (route?.path.includes(":") ? mark : head))
      // After the global styles, which the page's styles build on.
      .replace("</head>", () => `${about}${chunkLinks(frame, route?.file)}</head>`)
      .replace("<!--app-->", () => html.slice(head.length))
      .replace("{{plain}}", (slot) => (NEED_SCRIPTS.has(route?.path) ? needsScripts() : slot))
      .replace("</body>", () => `${unscripted}${data}</body>`)
  );
}

/** The message of a page that needs scripts. */
function needsScripts() {
  const texts = readCatalogue(language, "plain");
  const home = `<p><a href="${paths.home}">${texts["needs.home"]}</a></p>`;
  return `<link rel="stylesheet" href="/plain.css"><div class="wrap section plain"><p>${texts.needs}</p>${home}</div>`;
}

/** The styles of a file, checked to be safe inline. */
function stylesOf(file) {
  const text = readFileSync(path.join("dist", file), "utf8");
  if (text.includes("</") || /url\((?!["']?(?:\/|data:|#))/.test(text)) {
    throw new Error(`The styles of ${file} cannot stand in a page.`);
  }
  return text;
}

function chunkLinks(frame, file) {
  const chunks = new Set();
  for (const source of [MAIN, file]) if (source) collect(source, chunks);
  const own = [...chunks].filter((chunk) => !frame.includes(chunk.file));
  const styles = new Set([...chunks].flatMap((chunk) => chunk.css ?? []));
  return [
    ...[...styles]
      .filter((css) => !frame.includes(css))
      .map((css) => `<link rel="stylesheet" href="/${css}">`),
    // Low priority, after styles and pictures: the first view needs no script.
    ...own.map((chunk) => `<link rel="modulepreload" fetchpriority="low" href="/${chunk.file}">`),
    // The worker keeps what a page names; this part notices that the network is back. No prefetch:
    // Firefox asks default-src for it, which allows nothing.
    `<link rel="modulepreload" fetchpriority="low" href="/${chunkOf(KEEP_OFFLINE).file}">`,
  ].join("");
}

function collect(key, chunks) {
  const chunk = chunkOf(key);
  if (chunks.has(chunk)) return;
  for (const imported of chunk.imports ?? []) collect(imported, chunks);
  chunks.add(chunk);
}

function chunkOf(key) {
  if (!(key in manifest)) throw new Error(`The build names no script of its own for ${key}.`);
  return manifest[key];
}

/** The element that loads the main script after the first frame. */
function starterElement() {
  const main = [...template.matchAll(SCRIPTS)].at(-1)[1];
  const source = readFileSync("scripts/first-frame.js", "utf8");
  const file = `assets/first-frame-${createHash("sha256").update(source).digest("hex").slice(0, 8)}.js`;
  writeAt(path.join("dist", file), source);
  return `<script type="module" src="/${file}" data-main="${main}"></script>`;
}

/** Writes a page of this language. */
function writePage(file, text) {
  writeAt(path.join(folder, file), text);
}

function writeAt(target, text) {
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}
