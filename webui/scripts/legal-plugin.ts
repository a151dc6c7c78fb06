import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { marked } from "marked";
import type { Plugin } from "vite";

const NAME = "virtual:legal/";

// An element without attributes, as in the legal texts: tag and content.
const PART = /^<(\w+)>([^]*)<\/\1>\s*$/;

/** Turns data/legal/*.md into the parts of the terms and privacy pages: headings, paragraphs, lists. */
export function legalTexts(): Plugin {
  return {
    name: "jara-legal",
    resolveId: (id) => (id.startsWith(NAME) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${NAME}`)) return null;
      const file = new URL(`../../data/legal/${id.slice(NAME.length + 1)}.md`, import.meta.url);
      const parts = marked
        .lexer(readFileSync(fileURLToPath(file), "utf8"))
        .filter((token) => token.type !== "space")
        .map((token) => partOf(marked.parser([token])));
      return `export const parts = ${JSON.stringify(parts)};`;
    },
  };
}

function partOf(html: string): { tag: string; html: string } {
  const [, tag, inside] = PART.exec(html) ?? [];
  if (tag === undefined || inside === undefined) throw new Error(`Not one element: ${html}`);
  return { tag, html: inside };
}
