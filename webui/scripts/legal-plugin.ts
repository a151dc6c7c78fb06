import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { marked } from "marked";
import type { Plugin } from "vite";
import { translationFile } from "./languages.mjs";

const NAME = "virtual:legal/";

// An element without attributes, as in the legal texts: tag and content.
const PART = /^<(\w+)>([^]*)<\/\1>\s*$/;

/** Turns the legal texts, or their translations, into the parts of the terms and privacy pages: headings, paragraphs, lists. */
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
  const own = translationFile(language, `legal/${name}.md`);
  return existsSync(own) ? own : path.resolve(import.meta.dirname, `../../data/legal/${name}.md`);
}

function partOf(html: string): { tag: string; html: string } {
  const [, tag, inside] = PART.exec(html) ?? [];
  if (tag === undefined || inside === undefined) throw new Error(`Not one element: ${html}`);
  return { tag, html: inside };
}
