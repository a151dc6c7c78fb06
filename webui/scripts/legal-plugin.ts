import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { marked } from "marked";
import type { Plugin } from "vite";

const NAME = "virtual:legal/";

// An element without attributes, as in the legal texts: tag and content.
const PART = /^<(\w+)>([^]*)<\/\1>\s*$/;

/** Turns data/legal/*.md, or their translations in data/legal/<language>/, into the parts of the terms and privacy pages: headings, paragraphs, lists. */
export function legalTexts(language: string): Plugin {
  return {
    name: "jara-legal",
    resolveId: (id) => (id.startsWith(NAME) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${NAME}`)) return null;
      const file = fileOf(language, id.slice(NAME.length + 1));
      const parts = marked
        .lexer(readFileSync(file, "utf8"))
        .filter((token) => token.type !== "space")
        .map((token) => partOf(marked.parser([token])));
      return `export const parts = ${JSON.stringify(parts)};`;
    },
  };
}

function fileOf(language: string, name: string): string {
  const folder = fileURLToPath(new URL("../../data/legal/", import.meta.url));
  const own = path.join(folder, language, `${name}.md`);
  return existsSync(own) ? own : path.join(folder, `${name}.md`);
}

function partOf(html: string): { tag: string; html: string } {
  const [, tag, inside] = PART.exec(html) ?? [];
  if (tag === undefined || inside === undefined) throw new Error(`Not one element: ${html}`);
  return { tag, html: inside };
}
