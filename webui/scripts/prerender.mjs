// Draws every public page into dist/, so that it can be read before, and without, any script.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { contentAnswers } from "./content.mjs";

// Written by the build a moment ago.
const drawing = new URL("../.ssr/prerender.js", import.meta.url).href;
const { drawPage, paths, siteRoutes } = await import(drawing);

const manifest = JSON.parse(readFileSync("dist/.vite/manifest.json", "utf8"));
// The footer and the rest of the home page are loaded a little later; their styles are needed at once.
const LATER = Object.keys(manifest).find((key) => manifest[key].name === "blocks");
const template = readFileSync("dist/index.html", "utf8");
const answers = contentAnswers();

// React puts the title and the meta elements of a page before its first element.
const HEAD = /^(?:<title>[^<]*<\/title>|<(?:meta|link)\b[^>]*>)+/;

for (const route of siteRoutes) {
  for (const address of addressesOf(route)) {
    const { html, used } = await drawPage(address, answers);
    const file = route.path === "*" ? "404.html" : path.join(address, "index.html");
    // What a page shows by its query is drawn in the browser; only its head is known here.
    const drawn = route.byQuery ? (HEAD.exec(html)?.[0] ?? "") : html;
    write(file, page(drawn, route.byQuery ? [] : used, route.file));
  }
}
// What the server answers for pages whose content only it knows.
write("shell.html", page("<title>Jara</title>", [], null));
rmSync(".ssr", { recursive: true });

function addressesOf(route) {
  if (route.path === "*") return ["/no-such-page"];
  if (route.path === paths.projectPattern) {
    return answers["/projects"].map((project) => paths.project(project.slug));
  }
  // Member pages, and pages with a name in their address, are drawn in the browser.
  return route.frame === "site" && !route.path.includes(":") ? [route.path] : [];
}

function page(html, used, file) {
  if (html.includes("<script")) throw new Error("A drawn page must not need a script of its own.");
  const head = HEAD.exec(html)?.[0] ?? "";
  const seeds = Object.fromEntries(
    used.filter((key) => key in answers).map((key) => [key, answers[key]]),
  );
  const data =
    Object.keys(seeds).length === 0
      ? ""
      : `<script type="application/json" id="page-data">${JSON.stringify(seeds).replaceAll("<", "\\u003c")}</script>`;
  return (
    template
      .replace("<!--head-->", () => head)
      // After the styles of the whole site, which a page's own styles build on.
      .replace("</head>", () => `${chunkLinks(file)}</head>`)
      .replace("<!--app-->", () => html.slice(head.length))
      .replace("</body>", () => `${data}</body>`)
  );
}

function chunkLinks(file) {
  const chunks = new Set();
  if (file !== null) collect(file, chunks);
  const own = [...chunks].filter((chunk) => !template.includes(chunk.file));
  const drawn = new Set(chunks);
  if (file !== null) collect(LATER, drawn);
  const styles = new Set([...drawn].flatMap((chunk) => chunk.css ?? []));
  return [
    ...[...styles]
      .filter((css) => !template.includes(css))
      .map((css) => `<link rel="stylesheet" href="/${css}">`),
    ...own.map((chunk) => `<link rel="modulepreload" href="/${chunk.file}">`),
  ].join("");
}

function collect(key, chunks) {
  const chunk = manifest[key];
  if (chunk === undefined || chunks.has(chunk)) return;
  for (const imported of chunk.imports ?? []) collect(imported, chunks);
  chunks.add(chunk);
}

function write(file, text) {
  const target = path.join("dist", file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}
