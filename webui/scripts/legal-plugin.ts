import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { marked } from "marked";
import type { Plugin } from "vite";

const NAME = "virtual:legal/";

/** Turns data/legal/*.md into HTML that the terms and privacy pages import. */
export function legalTexts(): Plugin {
  return {
    name: "jara-legal",
    resolveId: (id) => (id.startsWith(NAME) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${NAME}`)) return null;
      const file = new URL(`../../data/legal/${id.slice(NAME.length + 1)}.md`, import.meta.url);
      const html = marked.parse(readFileSync(fileURLToPath(file), "utf8"), { async: false });
      return `export const html = ${JSON.stringify(html)};`;
    },
  };
}
